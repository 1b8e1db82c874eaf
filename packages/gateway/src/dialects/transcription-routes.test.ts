import { type ProviderRequest, startFakeProvider } from '@dragoman/testkit';
import OpenAI, { toFile } from 'openai';
import { expect, test } from 'vitest';
import { type GatewayConfigInput, openTestGateway, provider, type TestGateway } from '../gateway.fixture.ts';

const SOUND = Buffer.from([0x52, 0x49, 0x46, 0x46, 13, 10, 45, 45, 0, 255]);
const openAi = ({ url, tokenOf }: TestGateway) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: tokenOf.member, maxRetries: 0 });

async function open(config: GatewayConfigInput = {}) {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({ providers: { fake: provider('openai-chat', fake.url) }, ...config });
  const noted: Record<string, unknown>[] = [];
  gateway.book.calls.listen((json) => noted.push(JSON.parse(json) as Record<string, unknown>));
  return {
    fake,
    gateway,
    noted,
    client: openAi(gateway),
    file: await toFile(SOUND, 'voice.wav', { type: 'audio/wav' }),
  };
}

async function formOf({ bytes, headers }: ProviderRequest): Promise<FormData> {
  return new Response(new Uint8Array(bytes), { headers: { 'content-type': headers['content-type']! } }).formData();
}

function formWith(fields: Record<string, string | Blob>): RequestInit {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return { method: 'POST', body };
}

test("the OpenAI SDK's recording reaches the provider as it was sent, with all its fields, and comes back as text", async () => {
  const { fake, client, file, noted } = await open();
  fake.answer({ body: '{"text":"Fix it.","usage":{"type":"tokens","input_tokens":14,"output_tokens":5}}' });

  const { text } = await client.audio.transcriptions.create({
    model: 'fake/whisper-1',
    file,
    language: 'en',
    prompt: 'Key: sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    temperature: 0.5,
    timestamp_granularities: ['word', 'segment'],
  });

  expect(text).toBe('Fix it.');
  const [request] = fake.requests;
  expect(request).toMatchObject({
    path: '/v1/audio/transcriptions',
    headers: { authorization: 'Bearer provider-key' },
  });
  const form = await formOf(request!);
  const sent = form.get('file') as File;
  expect([sent.name, sent.type, Buffer.from(await sent.arrayBuffer())]).toEqual(['voice.wav', 'audio/wav', SOUND]);
  expect([...form].filter(([name]) => name !== 'file')).toEqual([
    ['model', 'whisper-1'],
    ['language', 'en'],
    ['prompt', 'Key: [API_KEY_REDACTED]'],
    ['temperature', '0.5'],
    ['timestamp_granularities[]', 'word'],
    ['timestamp_granularities[]', 'segment'],
  ]);
  expect(noted).toMatchObject([
    {
      dialect: 'transcription',
      target: 'fake/whisper-1',
      tokenName: 'member token',
      inputTokens: 14,
      outputTokens: 5,
      redactions: 1,
    },
  ]);
});

test.each([
  ['verbose_json', '{"text":"Hi","duration":1.5,"segments":[]}', 'application/json; charset=utf-8'],
  ['text', 'Hi\n', 'text/plain; charset=utf-8'],
  ['srt', '1\n00:00:00,000 --> 00:00:01,000\nHi\n', 'text/plain; charset=utf-8'],
  ['vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\nHi\n', 'text/vtt; charset=utf-8'],
])(
  'an answer in the form %s is passed on as it came, without what the provider was given in confidence',
  async (format, body, type) => {
    const { fake, gateway } = await open();
    const answers = [body, body.replace('Hi', 'provider-key')];
    fake.answer(...answers.map((said) => ({ headers: { 'content-type': 'text/html' }, body: said })));
    const form = () => formWith({ file: new File([SOUND], 'a.wav'), model: 'fake/whisper-1', response_format: format });

    const answer = await gateway.call('/v1/audio/transcriptions', form());
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([200, body, type]);
    expect((await formOf(fake.requests[0]!)).get('response_format')).toBe(format);
    expect((await gateway.call('/v1/audio/transcriptions', form())).text).toBe(body.replace('Hi', '[REDACTED]'));
  },
);

test('a model that nobody names goes where the route "transcription" leads, else to whoever takes any name', async () => {
  const sound = () => new File([SOUND], 'a.wav');
  const { fake, gateway } = await open();
  const routed = await openTestGateway({
    providers: { claude: provider('anthropic-messages', fake.url), fake: provider('openai-responses', fake.url) },
    routes: { transcription: ['claude/x', 'fake/listener'] },
  });
  fake.answer({ body: '{"text":"yes"}' });

  await gateway.call('/v1/audio/transcriptions', formWith({ file: sound(), model: 'whisper-1' }));
  await routed.call('/v1/audio/transcriptions', formWith({ file: sound(), model: 'whisper-1' }));
  await routed.call('/gateway/v1/audio/transcriptions', formWith({ file: sound() }));

  const models = await Promise.all(fake.requests.map(async (request) => (await formOf(request)).get('model')));
  expect(models).toEqual(['whisper-1', 'listener', 'listener']);
});

test('what cannot be had is refused by name, in the words of the client', async () => {
  const { fake, gateway, client, file } = await open();
  const model = 'fake/whisper-1';
  const refused: [RequestInit, number, string][] = [
    [formWith({ model }), 400, 'file: expected one recording, in the form field "file".'],
    [formWith({ model, sound: file }), 400, 'file: expected one recording, in the form field "file".'],
    [formWith({ model, file: new File([], 'a.wav') }), 400, 'file: the recording is empty.'],
    [
      formWith({ model, file, response_format: 'toString' }),
      400,
      'response_format: expected one of json, verbose_json, diarized_json, text, srt, vtt.',
    ],
    [formWith({ model, file, stream: 'true' }), 400, 'stream: transcriptions cannot be streamed; leave it out.'],
    [
      { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
      415,
      'This request needs a form; send it with "content-type: multipart/form-data".',
    ],
    [
      { method: 'POST', body: 'x', headers: { 'content-type': 'multipart/form-data; boundary=b' } },
      400,
      'The form cannot be read: it does not contain the boundary from its content-type.',
    ],
    [
      formWith({ model: 'offline/offline', file }),
      404,
      'No transcription model named "offline/offline" is configured. Use "provider/model", or point the route "transcription" to it. Its provider must have the type "openai-chat" or "openai-responses".',
    ],
  ];
  for (const [init, status, message] of refused)
    expect(await gateway.call('/v1/audio/transcriptions', init)).toMatchObject({
      status,
      body: { error: { message, type: 'invalid_request_error' } },
    });
  expect(fake.requests).toEqual([]);

  const none = openAi(await openTestGateway());
  await expect(none.audio.transcriptions.create({ model: 'whisper-1', file })).rejects.toMatchObject({ status: 404 });
  fake.answer({ status: 400, body: '{"error":{"message":"Invalid file format."}}' });
  await expect(client.audio.transcriptions.create({ model, file })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('Invalid file format.') as string,
  });
  fake.answer({ body: '<html>' });
  await expect(client.audio.transcriptions.create({ model, file })).rejects.toMatchObject({ status: 503 });
});

test('a recording that is larger than an upload may be is refused while it arrives', async () => {
  const { fake, gateway } = await open();
  const large = formWith({ model: 'fake/whisper-1', file: new File([Buffer.alloc(21 * 1024 * 1024)], 'a.wav') });

  expect(await gateway.call('/v1/audio/transcriptions', large)).toMatchObject({
    status: 413,
    body: { error: { message: 'The body is larger than 20971520 bytes, the limit for this request.' } },
  });
  expect(fake.requests).toEqual([]);
});
