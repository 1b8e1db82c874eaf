import { DragomanError } from '@dragoman/protocol';
import { z } from 'zod';
import type { ProviderConfig } from '../config/gateway-config.ts';
import { noteSideCall, type SideCall } from '../metering/note-side-call.ts';
import { optional } from '../optional.ts';
import type { Target } from '../routing/target.ts';
import { besideChat } from '../upstreams/beside-chat.ts';
import { readText } from '../upstreams/http-caller.ts';
import { toConnectionError } from '../upstreams/upstream-error.ts';
import { httpUpstream, type UpstreamRegistry } from '../upstreams/upstream-registry.ts';
import { audioName } from './audio-name.ts';
import { findTranscriber } from './find-transcriber.ts';
import { parseAnswer } from '../upstreams/parse-answer.ts';

/** How these calls are told from others, where the dialect stands. */
const DIALECT = 'transcription';
const LIMIT_MS = 60_000;

/** Something that was said, as it was recorded. */
export interface Recording {
  bytes: Uint8Array;
  mediaType: string;
  name: string;
}

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
  const tooLong = AbortSignal.timeout(limitMs);
  const toError = (thrown: unknown) =>
    isTimeout(signal) || (tooLong.aborted && !signal.aborted)
      ? new DragomanError('timed-out', `${model} did not write the recording down in time (${limitMs} ms at most).`, {
          cause: thrown,
          isRetryable: true,
        })
      : toConnectionError(target.providerName, thrown);
  return noteSideCall({ dialect: DIALECT, model, target, notes, toError }, async (measure) => {
    const { text, usage } = await ask(recording, target, options.upstreams, AbortSignal.any([signal, tooLong]));
    if (usage?.input_tokens !== undefined)
      measure.usage = { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens ?? 0 };
    return text.trim();
  });
}

const answerSchema = z.looseObject({
  text: z.string(),
  // Some bill by the length of the recording and count no tokens.
  usage: z.looseObject({ input_tokens: z.number().optional(), output_tokens: z.number().optional() }).nullish(),
});

async function ask(recording: Recording, target: Target, upstreams: UpstreamRegistry, signal: AbortSignal) {
  const { provider, providerName, model } = target;
  const form = new FormData();
  const file = new Blob([new Uint8Array(recording.bytes)], { type: recording.mediaType });
  form.set('file', file, audioName(recording.name, recording.mediaType));
  form.set('model', model);
  form.set('response_format', 'json');
  const encoded = new Response(form);
  const body = new Uint8Array(await encoded.arrayBuffer());
  const { path: ownPath, ...rest } = provider;
  const answer = await upstreams.http.send(
    await httpUpstream(provider.type),
    { providerName, model, provider: rest },
    {
      path: besideChat(ownPath, model, '/audio/transcriptions'),
      headers: { accept: 'application/json', ...optional('content-type', encoded.headers.get('content-type')) },
      body,
    },
    signal,
  );
  const parsed = answerSchema.safeParse(parseAnswer(await readText(answer)));
  if (parsed.success) return parsed.data;
  throw new DragomanError('unavailable', `The provider "${providerName}" answered without a text for the recording.`, {
    isRetryable: true,
  });
}

/** Whoever waited set a limit of their own. */
function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
