import { openCallBook } from '@dragoman/gateway/model';
import { newId } from '@dragoman/protocol';
import { startFakeProvider } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { dragomanConfigSchema } from './rooms.ts';
import { voiceWriter } from './voice-writer.ts';

const VOICE = { bytes: Uint8Array.from([1, 2, 3]), mediaType: 'audio/ogg', name: 'voice.oga' };
const OWNER = {
  userId: newId('usr'),
  userName: 'ada',
  role: 'admin',
  tokenName: 'server',
  tokenId: undefined,
} as const;

test('voice messages are written down by the model that is configured by then, and noted as calls of the owner', async () => {
  const fake = await startFakeProvider();
  fake.answer({ body: '{"text":"Fix the build."}' });
  const providers = { local: { type: 'openai-chat' as const, baseUrl: `${fake.url}/v1` } };
  let config = dragomanConfigSchema.parse({ providers });
  const book = openCallBook({});
  const noted: unknown[] = [];
  book.calls.listen((json) => noted.push(JSON.parse(json)));
  const writer = voiceWriter(() => config, { book, owner: OWNER });
  onTestFinished(() => writer.close());
  const { signal } = new AbortController();

  await expect(writer.transcribe(VOICE, signal)).rejects.toMatchObject({
    code: 'config-invalid',
    message: 'Voice messages are not transcribed: set channels.transcription to a model, such as "openai/whisper-1".',
  });
  config = dragomanConfigSchema.parse({ providers, channels: { transcription: 'local/whisper' } });

  expect(await writer.transcribe(VOICE, signal)).toBe('Fix the build.');
  expect(fake.requests.map(({ path }) => path)).toEqual(['/v1/audio/transcriptions']);
  expect(noted).toMatchObject([{ userName: 'ada', tokenName: 'voice', target: 'local/whisper', finishReason: 'stop' }]);
});
