import { startFakeProvider } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { openTestGateway, provider } from '../../gateway.fixture.ts';

const event = (fields: { type: string } & Record<string, unknown>) =>
  `event: ${fields.type}\ndata: ${JSON.stringify(fields)}\n\n`;

/** A streamed answer of a Responses provider in the given pieces. */
const responsesStream = (...deltas: string[]) => [
  event({ type: 'response.created', response: { id: 'r' } }),
  event({ type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm', content: [] } }),
  ...deltas.map((delta) =>
    event({ type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: 'm', delta }),
  ),
  event({
    type: 'response.output_item.done',
    output_index: 0,
    item: { type: 'message', id: 'm', content: [{ type: 'output_text', text: deltas.join('') }] },
  }),
  event({
    type: 'response.completed',
    response: { id: 'r', status: 'completed', output: [], usage: { input_tokens: 3, output_tokens: 9 } },
  }),
];

describe('what the gateway does where a provider cannot', () => {
  test('a stream of a Responses provider ends at the stop sequence of the client, which hears why', async () => {
    const fake = await startFakeProvider();
    fake.answer({ body: responsesStream('one EN', 'D two') });
    const gateway = await openTestGateway({
      providers: { fake: provider('openai-responses', fake.url) },
      routes: { default: ['fake/m'] },
    });
    const { text } = await gateway.call('/v1/messages', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'default',
        max_tokens: 99,
        stream: true,
        stop_sequences: ['END'],
        messages: [{ role: 'user', content: 'Hi' }],
      }),
    });
    expect([...text.matchAll(/"text_delta","text":"([^"]*)"/g)].map(([, delta]) => delta)).toEqual(['one ']);
    expect(text).toContain('"stop_reason":"stop_sequence","stop_sequence":"END"');
    expect(text).toContain('"output_tokens":9');
  });

  test('more or longer sequences than it looks for are refused', async () => {
    const fake = await startFakeProvider();
    const gateway = await openTestGateway({
      providers: { fake: provider('openai-responses', fake.url) },
      routes: { default: ['fake/m'] },
    });
    for (const stop of [['x'.repeat(501)], Array.from({ length: 17 }, (_, index) => `s${index}`)]) {
      const reply = await gateway.call('/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'default', stop, messages: [{ role: 'user', content: 'Hi' }] }),
      });
      expect(reply).toMatchObject({
        status: 400,
        body: { error: { message: 'stop: expected at most 16 sequences of at most 500 characters.' } },
      });
    }
    expect(fake.requests).toEqual([]);
  });

  test('an answer without the call that was demanded of Ollama is an error', async () => {
    const fake = await startFakeProvider();
    fake.answer({ body: '{"message":{"role":"assistant","content":"No."},"done":true,"done_reason":"stop"}' });
    const gateway = await openTestGateway({
      providers: { fake: provider('ollama', fake.url) },
      routes: { default: ['fake/m'] },
    });
    const reply = await gateway.call('/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'default',
        tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }],
        tool_choice: 'required',
        messages: [{ role: 'user', content: 'Hi' }],
      }),
    });
    expect(reply).toMatchObject({
      status: 503,
      body: { error: { message: 'A tool call was required, but the model made none. Try again.' } },
    });
  });

  test('a target that would have to refuse is passed over where another can do it', async () => {
    const fake = await startFakeProvider();
    fake.answer({ body: '{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}' });
    const gateway = await openTestGateway({
      providers: { local: provider('ollama', fake.url), other: provider('openai-chat', fake.url) },
      routes: { default: ['local/m', 'other/m'] },
    });
    const tool = { name: 'look', strict: true, input_schema: { type: 'object', properties: {} } };
    const { status } = await gateway.call('/v1/messages', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'default',
        max_tokens: 9,
        tools: [tool],
        messages: [{ role: 'user', content: 'Hi' }],
      }),
    });
    expect(status).toBe(200);
    expect(fake.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions']);
    expect(gateway.book.calls.providerState('local')).toEqual({});
  });
});
