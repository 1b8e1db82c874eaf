import type { ModelCall } from '@dragoman/protocol';
import { CALL_SETTINGS, type CallSetting } from '../settings/call-settings.ts';
import type { AiSdkWarning } from './wire.ts';

/** What packages call the settings that they pass over; stop sequences and demanded calls are seen to here. */
const SETTINGS: Readonly<Record<string, CallSetting>> = {
  temperature: 'temperature',
  topP: 'topP',
  topK: 'topK',
  presencePenalty: 'presencePenalty',
  frequencyPenalty: 'frequencyPenalty',
  seed: 'seed',
  responseFormat: 'responseFormat',
  reasoning: 'reasoningEffort',
};

/** Whether a package may have something to say about a call. */
export function mayBeWarned(call: ModelCall): boolean {
  return Object.values(SETTINGS).some((setting) => CALL_SETTINGS[setting](call));
}

/** What a package says that its service was not told. */
export function warnedSettings(call: ModelCall, warnings: readonly AiSdkWarning[] | undefined): CallSetting[] {
  return (warnings ?? []).flatMap(({ type, setting, feature }) => {
    const isUnsupported = type === 'unsupported' || type === 'unsupported-setting';
    const name = feature ?? setting ?? '';
    const known = isUnsupported && Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
    return known !== undefined && CALL_SETTINGS[known](call) ? [known] : [];
  });
}
