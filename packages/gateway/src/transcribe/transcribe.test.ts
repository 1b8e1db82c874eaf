import { DragomanError, newId } from '@dragoman/protocol';
import { type ProviderRequest, startFakeProvider } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { provider, testConfig } from '../gateway.fixture.ts';
import { openCallBook } from '../metering/call-book.ts';
import { UpstreamRegistry } from '../upstreams/upstream-registry.ts';
import { audioName } from './audio-name.ts';
import { transcribe, type TranscribeOptions } from './transcribe.ts';

const VOICE = { bytes: Uint8Array.from([0x4f, 0x67, 0x67, 0x53, 0, 255]), mediaType: 'audio/ogg', name: 'voice.oga' };
const CALLER = { userId: newId('usr'), userName: 'ada', tokenName: 'telegram' } as const;

/** A provider on this machine, a book of calls and what was noted in it. */
async function setUp(given: object = {}) {
  const fake = await startFakeProvider();
  const upstreams = new UpstreamRegistry();
  onTestFinished(() => upstreams.close());
  const { providers } = testConfig({
    providers: {
      fake: { ...provider('openai-chat', fake.url), apiKey: ['key-number-one', 'key-number-two'], ...given },
    },
  });
  const book = openCallBook({});
  const noted: Record<string, unknown>[] = [];
  book.calls.listen((json) => noted.push(JSON.parse(json) as Record<string, unknown>));
  const ask = (options: Partial<TranscribeOptions> = {}) =>
    transcribe(VOICE, {
      model: 'fake/whisper-1',
      providers,
      upstreams,
      notes: { book, caller: CALLER },
      signal: new AbortController().signal,
      ...options,
    });
  return { fake, ask, noted };
}

/** What a form of a browser would have sent. */
async function formOf({ bytes, headers }: ProviderRequest): Promise<FormData> {
  return new Response(new Uint8Array(bytes), { headers: { 'content-type': headers['content-type']! } }).formData();
}

test('a recording is sent as a form, and comes back as text', async () => {
  const { fake, ask, noted } = await setUp();
  fake.answer({ body: '{"text":" Fix the build. ","usage":{"type":"tokens","input_tokens":14,"output_tokens":5}}' });

  expect(await ask()).toBe('Fix the build.');

  const [request] = fake.requests;
  expect(request).toMatchObject({
    path: '/v1/audio/transcriptions',
    headers: { authorization: 'Bearer key-number-one' },
  });
  const form = await formOf(request!);
  expect([form.get('model'), form.get('response_format')]).toEqual(['whisper-1', 'json']);
  const file = form.get('file') as File;
  expect([file.name, file.type, new Uint8Array(await file.arrayBuffer())]).toEqual([
    'voice.oga',
    'audio/ogg',
    VOICE.bytes,
  ]);
  expect(noted).toMatchObject([
    {
      userName: 'ada',
      tokenName: 'telegram',
      dialect: 'transcription',
      route: 'fake/whisper-1',
      target: 'fake/whisper-1',
      inputTokens: 14,
      outputTokens: 5,
      finishReason: 'stop',
    },
  ]);
  expect(JSON.stringify(noted)).not.toContain('build');
});

test('a provider whose chat has a path of its own is asked beside it', async () => {
  const { fake, ask } = await setUp({ path: '/openai/deployments/{model}/chat/completions', query: { v: '1' } });
  fake.answer({ body: '{"text":"yes"}' });

  await ask({ model: 'fake/my whisper' });

  expect(fake.requests[0]!.path).toBe('/v1/openai/deployments/my%20whisper/audio/transcriptions?v=1');
});

test('a second key takes over from one that has reached its limit', async () => {
  const { fake, ask } = await setUp();
  fake.answer({ status: 429, body: '{}' }, { body: '{"text":"yes"}' });

  expect(await ask()).toBe('yes');
  expect(fake.requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer key-number-one',
    'Bearer key-number-two',
  ]);
});

test.each([
  [{ status: 400, body: '{"error":{"message":"Invalid file format."}}' }, 'bad-request', /400: Invalid file format\./],
  [{ status: 413, body: '' }, 'too-large', /"fake" answered 413/],
  [{ status: 500, body: '{"error":{"message":"key-number-one broke"}}' }, 'unavailable', /500: \[REDACTED\] broke/],
  [{ body: '<html>' }, 'unavailable', /"fake" returned no text for the recording/],
  [{ body: '{"text":7}' }, 'unavailable', /"fake" returned no text for the recording/],
] as const)('what a provider says instead of a text is told: %j', async (answer, code, message) => {
  const { fake, ask, noted } = await setUp();
  fake.answer(answer);

  const error = await ask().catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(DragomanError);
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string });
  expect(noted).toMatchObject([{ finishReason: 'error', errorCode: code }]);
});

test('a name that leads to nobody who could do it is refused with what would help', async () => {
  const { ask } = await setUp({ type: 'anthropic-messages' });

  await expect(ask({ model: 'ghost/whisper-1' })).rejects.toMatchObject({
    code: 'config-invalid',
    message:
      '"ghost/whisper-1" cannot transcribe recordings: there is no provider named "ghost". Use another "provider/model".',
  });
  await expect(ask()).rejects.toMatchObject({
    code: 'config-invalid',
    message:
      '"fake/whisper-1" cannot transcribe recordings: the provider "fake" has the type "anthropic-messages"; transcription needs a provider of type "openai-chat" or "openai-responses". Use another "provider/model".',
  });
});

test('whoever waits may leave, and nobody waits for ever', async () => {
  const { fake, ask, noted } = await setUp();
  const never = Promise.withResolvers<void>();
  onTestFinished(() => never.resolve());
  fake.answer({ body: [never.promise] });
  const leaving = new AbortController();

  const left = ask({ signal: leaving.signal });
  const request = await fake.request(1);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'cancelled' });
  expect(await request.ended).toBe('left');

  await expect(ask({ limitMs: 20 })).rejects.toMatchObject({
    code: 'timed-out',
    message: 'fake/whisper-1 did not transcribe the recording in time (limit: 20 ms).',
  });
  await expect(ask({ signal: AbortSignal.timeout(20) })).rejects.toMatchObject({ code: 'timed-out' });
  expect(noted.map(({ finishReason }) => finishReason)).toEqual(['cancelled', 'error', 'error']);
});

test.each([
  ['voice.oga', 'audio/ogg', 'voice.oga'],
  ['Memo.MP3', 'audio/mpeg', 'Memo.MP3'],
  ['file.opus', 'audio/opus', 'file.ogg'],
  ['voice', 'audio/ogg; codecs=opus', 'voice.ogg'],
  ['a.b', 'audio/x-m4a', 'a.m4a'],
  ['.bin', 'application/octet-stream', 'voice.ogg'],
])('the recording %s of type %s is sent as %s', (name, mediaType, sent) => {
  expect(audioName(name, mediaType)).toBe(sent);
});

test('whatever a recording is called, its ending is one that services know', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (name, mediaType) => {
      expect(audioName(name, mediaType)).toMatch(/[^]\.(?:flac|m4a|mp[34]|mpeg|mpga|og[ag]|wav|webm)$/i);
    }),
  );
});
