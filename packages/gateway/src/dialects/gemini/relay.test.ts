import { startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openTestGateway, provider, recordedAnswer } from '../../gateway.fixture.ts';

const PATH = '/v1beta/models/g/gemini-3-pro';
const post = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

async function open(config: object = {}) {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({ providers: { g: provider('gemini', fake.url) }, ...config });
  return { fake, gateway };
}
const usageOf = async (gateway: Awaited<ReturnType<typeof open>>['gateway']) => {
  await gateway.book.usageLog.flush();
  return (await gateway.call('/api/gateway/requests')).text;
};

/** What only Google understands, and what nobody knows yet. */
const BODY = {
  contents: [
    { role: 'user', parts: [{ text: 'hi' }, { inline_data: { mime_type: 'image/png', data: 'AAAA' } }] },
    {
      role: 'model',
      parts: [
        { text: 'Hm.', thought: true, thoughtSignature: 'c2lnbmVk' },
        { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'Y2FsbA==' },
      ],
    },
    { role: 'user', parts: [{ functionResponse: { name: 'f', response: { out: 1 } } }] },
  ],
  cachedContent: 'cachedContents/a',
  tools: [{ googleSearch: {} }, { codeExecution: {} }, { futureTool: {} }],
  generation_config: { candidate_count: 2, response_modalities: ['AUDIO'], speech_config: {} },
  futureField: [1],
};

test('Google is sent the body as it came, at the address of the model, with its own key', async () => {
  const { fake, gateway } = await open();
  const answer = { candidates: [{ content: { parts: [] }, finishReason: 'STOP', groundingMetadata: { a: 1 } }] };
  fake.answer({ body: JSON.stringify(answer) });

  const { status, body } = await gateway.call(`${PATH}:generateContent?key=${gateway.tokenOf.admin}`, post(BODY));

  expect({ status, body }).toEqual({ status: 200, body: answer });
  expect(fake.requests[0]).toMatchObject({ path: '/v1/models/gemini-3-pro:generateContent', body: BODY });
  expect(fake.requests[0]!.headers).toMatchObject({ 'x-goog-api-key': 'provider-key' });
});

test('a stream is passed on byte by byte, and what it took is read from the side', async () => {
  const { fake, gateway } = await open();
  const events = recordedAnswer('gemini', 'tool').join('').replaceAll('\n\n', '\r\n\r\n');
  fake.answer({ body: [events.slice(0, 50), events.slice(50)] });

  const { text, headers } = await gateway.call(`${PATH}:streamGenerateContent?alt=sse`, post(BODY));

  expect(text).toBe(events);
  expect(headers.get('content-type')).toBe('text/event-stream');
  expect(fake.requests[0]!.path).toBe('/v1/models/gemini-3-pro:streamGenerateContent?alt=sse');
  expect(await usageOf(gateway)).toContain('"inputTokens":80,"outputTokens":81');
});

test('a client that wants a list gets the events of the stream as one', async () => {
  const { fake, gateway } = await open();
  const events = recordedAnswer('gemini', 'text').join('');
  fake.answer({ body: [events.slice(0, 70), events.slice(70)] });

  const { text, headers } = await gateway.call(`${PATH}:streamGenerateContent`, post(BODY));

  const expected = events
    .trim()
    .split(/\n\n|\r\n\r\n/)
    .map((event) => JSON.parse(event.replace(/^data: /, '')) as object);
  expect(JSON.parse(text)).toEqual(expected);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await usageOf(gateway)).toMatch(/"inputTokens":[1-9]/);
});

test.each(['?alt=sse', ''])('a stream%s that is cut ends with an error that clients try again on', async (query) => {
  const { fake, gateway } = await open();
  const events = recordedAnswer('gemini', 'text').join('');
  fake.answer({ body: [events.slice(0, events.indexOf('\n\n') + 12)], isCut: true });

  const { text } = await gateway.call(`${PATH}:streamGenerateContent${query}`, post(BODY));

  const last =
    query === ''
      ? (JSON.parse(text) as object[]).at(-1)
      : (JSON.parse(text.trim().split('\n\n').at(-1)!.replace('data: ', '')) as object);
  expect(last).toMatchObject({ error: { code: 503, status: 'UNAVAILABLE' } });
});

test('secrets are taken out of what was said, called and returned, and not out of what Google made', async () => {
  const { fake, gateway } = await open();
  fake.answer({ body: '{"candidates":[{"finishReason":"STOP"}]}' });
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const parts = [
    { text: secret, thought: true, thoughtSignature: secret },
    { functionCall: { name: 'f', args: { password: 'hunter2', text: secret } } },
  ];
  const result = { functionResponse: { name: 'f', response: { output: `{"password":"hunter2"} ${secret}` } } };

  await gateway.call(
    `${PATH}:generateContent`,
    post({
      system_instruction: { parts: [{ text: secret }] },
      contents: [
        { parts: [{ text: secret }, { inlineData: { mimeType: 'image/png', data: secret } }] },
        { role: 'model', parts },
        { parts: [result] },
      ],
    }),
  );

  expect(fake.requests[0]!.text).not.toContain('hunter2');
  const [asked, answered] = fake.requests[0]!.body['contents'] as { parts: object[] }[];
  expect(fake.requests[0]!.text.split(secret)).toHaveLength(4);
  expect(asked!.parts[1]).toEqual({ inlineData: { mimeType: 'image/png', data: secret } });
  expect(answered!.parts[0]).toEqual(parts[0]);
});

test('settings of the route are filled in where the client left them open', async () => {
  const { fake, gateway } = await open({ routes: { r: { targets: ['g/m'], temperature: 0.5, maxTokens: 100 } } });
  fake.answer({ body: '{"candidates":[{"finishReason":"STOP"}]}' });
  const ask = (body: object) => gateway.call('/v1beta/models/r:generateContent', post({ contents: 'x', ...body }));

  await ask({});
  await ask({ generation_config: { max_output_tokens: 7, temperature: 0 } });

  expect(fake.requests.map(({ body }) => body)).toEqual([
    { contents: 'x', generationConfig: { temperature: 0.5, maxOutputTokens: 100 } },
    { contents: 'x', generation_config: { max_output_tokens: 7, temperature: 0 } },
  ]);
});

test('what only Google understands is refused where the next target is another, and told by its name', async () => {
  const other = await startFakeProvider();
  const { fake, gateway } = await open();
  gateway.config.providers['other'] = { ...gateway.config.providers['g']!, type: 'openai-chat' };
  gateway.config.routes['both'] = ['g/m', 'other/m'];
  fake.answer({ status: 503, body: '{"error":{"message":"busy"}}' });

  const { status, body } = await gateway.call('/v1beta/models/both:generateContent', post(BODY));

  expect(status).toBe(503);
  expect(body.error?.message).toBe('The provider "g" answered 503: busy');
  const alone = await gateway.call('/v1beta/models/other/m:generateContent', post({ ...BODY, cachedContent: null }));
  expect(alone.body.error?.message).toContain('generationConfig.candidateCount: only one candidate is supported');
  expect(other.requests).toEqual([]);
});

test('a model that takes no images is not sent any', async () => {
  const { fake, gateway } = await open();
  gateway.config.providers['g']!.images = false;
  fake.answer({ body: '{"candidates":[{"finishReason":"STOP"}]}' });

  expect((await gateway.call(`${PATH}:generateContent`, post(BODY))).status).toBe(400);
  const text = { inlineData: { mimeType: 'text/plain', data: 'AAAA' } };
  expect((await gateway.call(`${PATH}:generateContent`, post({ contents: [{ parts: [text] }] }))).status).toBe(200);
});
