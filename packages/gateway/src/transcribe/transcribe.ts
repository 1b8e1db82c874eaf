import { DragomanError } from '@dragoman/protocol';
import type { ProviderConfig } from '../config/gateway-config.ts';
import { noteSideCall, type SideCall } from '../metering/note-side-call.ts';
import { routeTo } from '../routing/resolve-route.ts';
import { toConnectionError } from '../upstreams/upstream-error.ts';
import type { UpstreamRegistry } from '../upstreams/upstream-registry.ts';
import { askForTranscript, type Recording } from './ask-for-transcript.ts';
import { findTranscriber } from './find-transcriber.ts';
import { readTranscript } from './read-transcript.ts';

/** How these calls are told from others, where the dialect stands. */
export const TRANSCRIPTION = 'transcription';
const AS_JSON = [['response_format', 'json']] as const;
const LIMIT_MS = 60_000;

/** What writing down needs. */
export interface TranscribeOptions {
  /** "provider/model", such as "openai/whisper-1". */
  model: string;
  providers: Readonly<Record<string, ProviderConfig>>;
  /** Connections and key pools. */
  upstreams: UpstreamRegistry;
  /** Where the call is noted, and whose it is; without it it is not. */
  notes?: SideCall['notes'];
  signal: AbortSignal;
  limitMs?: number;
}

/**
 * Has a recording written down by a provider that speaks OpenAI's protocol.
 *
 * A second key is tried where the first is refused, as for other calls; another provider is not: what was said is sent only
 * where somebody decided that it goes.
 */
export async function transcribe(recording: Recording, options: TranscribeOptions): Promise<string> {
  const { model, providers, signal, notes, limitMs = LIMIT_MS } = options;
  const target = findTranscriber(model, providers);
  const route = routeTo(target, model, false);
  const tooLong = AbortSignal.timeout(limitMs);
  const waited = AbortSignal.any([signal, tooLong]);
  const toError = (thrown: unknown) =>
    isTimeout(signal) || (tooLong.aborted && !signal.aborted)
      ? new DragomanError('timed-out', `${model} did not transcribe the recording in time (limit: ${limitMs} ms).`, {
          cause: thrown,
          isRetryable: true,
        })
      : toConnectionError(target.providerName, thrown);
  return noteSideCall({ dialect: TRANSCRIPTION, model, route, notes, signal: waited, toError }, async (_, measure) => {
    const answer = await askForTranscript(recording, AS_JSON, target, options.upstreams, waited);
    const { text, usage } = readTranscript(answer, target.providerName);
    measure.usage = usage;
    return text.trim();
  });
}

/** Whoever waited set a limit of their own. */
function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
