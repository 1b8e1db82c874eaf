import type { ModelCall, ModelSink } from '@dragoman/protocol';
import type { CallSetting } from './call-settings.ts';
import { cutAtStop } from './cut-at-stop.ts';
import { demandCall } from './demand-call.ts';

/** The steps that do to an answer what its provider cannot be told to do. */
export function doHere(call: ModelCall, settings: readonly CallSetting[], next: ModelSink): ModelSink {
  let sink = next;
  for (const setting of settings) {
    if (setting === 'toolChoice') sink = demandCall(sink);
    else if (setting === 'stopSequences') sink = cutAtStop(call.stopSequences ?? [], sink);
  }
  return sink;
}
