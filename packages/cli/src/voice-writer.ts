import type { CallBook } from '@dragoman/gateway/model';
import { DragomanError } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { DragomanConfig } from './rooms.ts';

/** What the call is noted under, where other calls have the name of a token. */
const NOTED_AS = 'voice';

/** A voice message of a chat. */
interface Voice {
  bytes: Uint8Array;
  mediaType: string;
  name: string;
}

/** Writes voice messages down with the model of `channels.transcription`, as it is configured by then. */
export interface VoiceWriter {
  transcribe(voice: Voice, signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** Makes one. What asks providers is loaded with the first voice message. */
export function voiceWriter(config: () => DragomanConfig, calls: { book: CallBook; owner: Caller }): VoiceWriter {
  const open = async () => {
    const { transcribe, UpstreamRegistry } = await import('@dragoman/gateway/model');
    return { transcribe, upstreams: new UpstreamRegistry() };
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    async transcribe(voice, signal) {
      const { providers, channels } = config();
      const model = channels.transcription;
      if (model === undefined)
        throw new DragomanError(
          'config-invalid',
          'Voice messages are not transcribed: set channels.transcription to a model, such as "openai/whisper-1".',
        );
      const { transcribe, upstreams } = await (opened ??= open());
      const notes = { book: calls.book, caller: { ...calls.owner, tokenName: NOTED_AS } };
      return transcribe(voice, { model, providers, upstreams, notes, signal });
    },
    close: async () => (await opened)?.upstreams.close(),
  };
}
