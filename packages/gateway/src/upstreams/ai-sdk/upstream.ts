import { DragomanError, type ModelCall, type ModelSink } from '@dragoman/protocol';
import type { ProviderConfig } from '../../config/gateway-config.ts';
import { KeyPool } from '../../routing/key-pool.ts';
import type { Target } from '../../routing/target.ts';
import { doHere } from '../settings/do-here.ts';
import { weighSettings } from '../settings/setting-fates.ts';
import type { AcceptedCall, FlowControl, OpenCall } from '../upstream.ts';
import { toAiSdkError } from './ai-sdk-error.ts';
import { CallLimits } from './call-limits.ts';
import { AiSdkAnswerReader, decodeAiSdkResult } from './decode-stream.ts';
import { encodeAiSdkCall } from './encode-request.ts';
import { aiSdkFates } from './fates.ts';
import { loadAiSdkModel } from './load-model.ts';
import { markAiSdkCall } from './mark-prompt.ts';
import { mayBeWarned, warnedSettings } from './warned-settings.ts';
import type { AiSdkStreamPart } from './wire.ts';

const pools = new WeakMap<ProviderConfig, KeyPool>();

/**
 * Any provider package of the AI SDK, installed beside Dragoman. The package talks to the service itself, so the
 * provider's path, query and connection limit do not apply.
 */
export const openAiSdkCall: OpenCall = async (call, target, isStreamed, signal) => {
  const pool = poolOf(target.provider);
  for (let attempt = 1; ; attempt++) {
    const key = pool.take();
    try {
      return await openWith(key, call, target, isStreamed, signal);
    } catch (error) {
      const known = toAiSdkError(target.providerName, error);
      if (key !== undefined) pool.rest(key, known);
      const isAboutKey = known.code === 'rate-limited' || known.code === 'forbidden';
      if (!isAboutKey || attempt >= pool.size) throw known;
    }
  }
};

async function openWith(
  key: string | undefined,
  call: ModelCall,
  target: Target,
  isStreamed: boolean,
  signal: AbortSignal,
): Promise<AcceptedCall> {
  const model = await loadAiSdkModel(target, key);
  const { leftOut, doneHere } = weighSettings(call, target, aiSdkFates(model.specificationVersion));
  const limits = new CallLimits(signal);
  const options = {
    ...encodeAiSdkCall(markAiSdkCall(call, target), model.specificationVersion),
    abortSignal: limits.signal,
  };
  const tooLate = () => timedOut(`The provider "${target.providerName}" did not begin to answer in time.`);
  const { firstByteMs } = target.provider.timeouts;
  if (isStreamed) {
    const { stream } = await limits.within(firstByteMs, model.doStream(options), tooLate);
    const reader = stream.getReader();
    const first = mayBeWarned(call) ? await readFirst(reader, limits, firstByteMs, tooLate) : undefined;
    return {
      leftOut: [...leftOut, ...warnedSettings(call, first?.value?.warnings)],
      run: (sink, flow) => runStreamed({ reader, first }, limits, target, doHere(call, doneHere, sink), flow),
    };
  }
  const result = await limits.within(firstByteMs, model.doGenerate(options), tooLate);
  return {
    leftOut: [...leftOut, ...warnedSettings(call, result.warnings)],
    async run(sink) {
      const done = doHere(call, doneHere, sink);
      try {
        decodeAiSdkResult(result, done);
      } catch (error) {
        done.push({ type: 'error', error: toAiSdkError(target.providerName, error) });
      }
    },
  };
}

type PartReader = ReadableStreamDefaultReader<AiSdkStreamPart>;
type ReadPart = Awaited<ReturnType<PartReader['read']>>;

/** The part that a stream begins with, which tells what the service was not told. */
async function readFirst(
  reader: PartReader,
  limits: CallLimits,
  ms: number,
  tooLate: () => DragomanError,
): Promise<ReadPart> {
  try {
    return await limits.within(ms, reader.read(), tooLate);
  } catch (error) {
    limits.stop();
    reader.cancel().catch(() => undefined);
    throw error;
  }
}

async function runStreamed(
  { reader, first }: { reader: PartReader; first: ReadPart | undefined },
  limits: CallLimits,
  { provider, providerName }: Target,
  sink: ModelSink,
  flow: FlowControl | undefined,
): Promise<void> {
  const answer = new AiSdkAnswerReader(sink);
  let begun = first;
  const tooLate = () => timedOut(`The provider "${providerName}" stopped in the middle of its answer.`);
  try {
    while (!answer.isOver) {
      const { done, value } = begun ?? (await limits.within(provider.timeouts.idleMs, reader.read(), tooLate));
      begun = undefined;
      if (done) answer.end();
      else if (value.type === 'error') answer.fail(toAiSdkError(providerName, value.error));
      else answer.take(value);
      if (flow?.afterRead() === true) await flow.untilReady();
    }
  } catch (error) {
    answer.fail(toAiSdkError(providerName, error));
    flow?.afterRead();
  } finally {
    limits.stop();
    reader.cancel().catch(() => undefined);
  }
}

function timedOut(message: string): DragomanError {
  return new DragomanError('timed-out', message, { isRetryable: true });
}

function poolOf(provider: ProviderConfig): KeyPool {
  let pool = pools.get(provider);
  if (pool === undefined) {
    const secrets = provider.apiKey === undefined ? [] : [provider.apiKey].flat();
    pool = new KeyPool(secrets.map((secret) => secret.reveal()));
    pools.set(provider, pool);
  }
  return pool;
}
