import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ModelCall, ModelEvent } from '@dragoman/protocol';
import { afterEach, expect, test } from 'vitest';
import { provider, testConfig } from '../gateway.fixture.ts';
import type { UpstreamKind } from '../config/gateway-config.ts';
import { UpstreamRegistry } from './upstream-registry.ts';

const MB = 1024 * 1024;
const CALL: ModelCall = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], tools: [] };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Bytes that come as long as somebody reads them, up to a gigabyte. */
interface Flood {
  head?: string;
  piece: string | ((index: number) => string);
  tail?: string;
  /** How many pieces; else it goes on. */
  count?: number;
}

/** The type and message of an answer's end, and how many bytes the provider got rid of. */
async function ask(type: UpstreamKind, flood: Flood, isStreamed = true, status = 200) {
  let sent = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const streamType = type === 'ollama' ? 'application/x-ndjson' : 'text/event-stream';
      response.writeHead(status, { 'content-type': isStreamed ? streamType : 'application/json' });
      const bytes = Readable.from(
        pour(flood, (count) => (sent += count)),
        { objectMode: true, highWaterMark: 1 },
      );
      pipeline(bytes, response).catch(() => undefined); // Whoever reads may leave.
    });
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  const upstreams = new UpstreamRegistry();
  closing.push(
    () => upstreams.close(),
    () => new Promise((closed) => server.close(closed).closeAllConnections()),
  );
  const config = testConfig({
    providers: { fake: provider(type, `http://127.0.0.1:${(server.address() as AddressInfo).port}`) },
  });
  const target = { providerName: 'fake', provider: config.providers['fake']!, model: 'm' };
  const accepted = await upstreams.open(CALL, target, isStreamed, new AbortController().signal);
  let last: ModelEvent | undefined;
  let length = 0;
  await accepted.run({
    push(event) {
      last = event;
      if ('delta' in event) length += event.delta.length;
    },
  });
  const end = last?.type === 'error' ? `${last.error.code}: ${last.error.message}` : last?.type;
  return { end, length, sent };
}

function* pour({ head = '', piece, tail = '', count = Infinity }: Flood, note: (bytes: number) => void) {
  yield head;
  for (let index = 0, sent = 0; index < count && sent < 1024 * MB; index++) {
    const text = typeof piece === 'string' ? piece : piece(index);
    sent += text.length;
    note(text.length);
    yield text;
  }
  yield tail;
}

const chunk = (delta: object) => `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta }] })}\n\n`;
const CHAT_END = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
const LONG = 'z'.repeat(60_000);

test.each<[string, UpstreamKind, Flood, string]>([
  [
    'calls that wait for one that never comes',
    'openai-chat',
    {
      piece: (at) => chunk({ tool_calls: [{ index: at + 1, id: `c${at}`, function: { name: 'f', arguments: LONG } }] }),
    },
    'characters',
  ],
  [
    'calls without a name',
    'openai-chat',
    {
      piece: (at) => chunk({ tool_calls: Array.from({ length: 500 }, (_, more) => ({ index: 1 + at * 500 + more })) }),
    },
    'blocks',
  ],
  [
    'details of thoughts that have no end',
    'openai-chat',
    { piece: chunk({ reasoning_details: Array.from({ length: 500 }, () => ({})) }) },
    'bytes of reasoning details',
  ],
  [
    'details of thoughts that are told again with every thought',
    'openai-chat',
    { piece: chunk({ reasoning: 'a', content: 'b', reasoning_details: [{ text: LONG }] }) },
    'bytes of reasoning details',
  ],
  [
    'a name that is told with every piece',
    'openai-chat',
    { piece: `data: ${JSON.stringify({ id: LONG, choices: [{ index: 0, delta: { content: 'a' } }] })}\n\n` },
    'characters in a name',
  ],
  [
    'a thought with a long name',
    'openai-responses',
    {
      head: `data: {"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"rs_${LONG}"}}\n\n`,
      piece: 'data: {"type":"response.reasoning_text.delta","output_index":0,"delta":"a"}\n\n',
    },
    'characters in a name',
  ],
  ['text without end', 'openai-chat', { piece: chunk({ content: LONG }) }, 'characters'],
  ['an event without end', 'openai-chat', { piece: `data: ${LONG}\n` }, 'bytes'],
  ['an event of very short lines', 'openai-chat', { piece: 'data:\n'.repeat(10_000) }, 'bytes'],
  ['a line without end', 'openai-chat', { head: 'data: ', piece: LONG }, 'bytes'],
  ['nothing but comments', 'openai-chat', { piece: `: ${LONG}\n` }, 'bytes'],
  [
    'arguments without end',
    'anthropic-messages',
    {
      head: 'data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f"}}\n\n',
      piece: `data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"${LONG}"}}\n\n`,
    },
    'characters',
  ],
  [
    'a signature without end',
    'anthropic-messages',
    {
      head: 'data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking"}}\n\n',
      piece: `data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"${LONG}"}}\n\n`,
      count: 400,
      tail: 'data: {"type":"message_stop"}\n\n',
    },
    'characters',
  ],
  [
    'blocks that are never ended',
    'anthropic-messages',
    {
      piece: (at) =>
        `data: {"type":"content_block_start","index":${at},"content_block":{"type":"tool_use","id":"t${at}","name":"f"}}\n\n`,
    },
    'blocks',
  ],
  [
    'items that are never done',
    'openai-responses',
    {
      piece: (at) =>
        `data: {"type":"response.output_item.added","output_index":${at},"item":{"type":"function_call","call_id":"c${at}","name":"f"}}\n\n`,
    },
    'blocks',
  ],
  [
    'text and thoughts in turn',
    'gemini',
    { piece: `data: {"candidates":[{"content":{"parts":[{"text":"a"},{"text":"b","thought":true}]}}]}\n\n` },
    'blocks',
  ],
  ['a line without end', 'ollama', { piece: LONG }, 'bytes'],
  ['thoughts without end', 'ollama', { piece: `{"message":{"thinking":"${LONG}"}}\n` }, 'characters'],
])('%s from %s is given up', async (_, type, flood, of) => {
  const { end, sent } = await ask(type, flood);
  expect(end).toMatch(new RegExp(`^unavailable: The provider's answer is too large: more than \\d+ ${of}`));
  expect(sent).toBeLessThan(150 * MB);
});

test.each<[string, Flood]>([
  ['nested brackets', { head: `data: ${'['.repeat(300_000)}`, piece: ']\n\n', count: 1 }],
  ['a list of objects', { head: 'data: [', piece: '{"a":[1,2]},'.repeat(5_000), count: 50, tail: '1]\n\n' }],
])('an event that would take long to parse is given up: %s', async (_, flood) => {
  for (const type of ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const)
    expect((await ask(type, flood)).end).toMatch(/^unavailable: The provider's answer is too large: too many values/);
});

test('an answer at once that is too large, or would take long to parse, is given up', async () => {
  const large = { head: '{"a":"', piece: LONG };
  expect((await ask('openai-chat', large, false)).end).toMatch(
    /^unavailable: The provider's answer is too large: more than \d+ bytes/,
  );
  const deep = { head: '['.repeat(2 * MB), piece: ']', count: 1 };
  expect((await ask('openai-chat', deep, false)).end).toMatch(
    /^unavailable: The provider's answer is too large: too many values/,
  );
});

test('an answer of 128,000 tokens passes, each in an event of 900 bytes', async () => {
  const frame = JSON.stringify({ content_filter_results: 'f'.repeat(800) }).slice(1);
  const event = chunk({ content: 'word ' }).replace('{', `{${frame.slice(0, -1)},`);
  expect(await ask('openai-chat', { piece: event.repeat(1_000), count: 128, tail: CHAT_END })).toMatchObject({
    end: 'finish',
    length: 640_000,
  });
});

test('pictures of six megabytes pass, in one event and in an answer at once', async () => {
  const head = '{"choices":[{"index":0,"finish_reason":"stop","XX":{"content":"data:image/png;base64,';
  const flood = { piece: 'A'.repeat(MB), count: 6 };
  const streamed = { ...flood, head: `data: ${head.replace('XX', 'delta')}`, tail: `"}}]}\n\ndata: [DONE]\n\n` };
  expect(await ask('openai-chat', streamed)).toMatchObject({ end: 'finish', length: 6 * MB + 22 });
  const whole = { ...flood, head: head.replace('XX', 'message'), tail: '"}}]}' };
  expect(await ask('openai-chat', whole, false)).toMatchObject({ end: 'finish', length: 6 * MB + 22 });
});

test('of an error only the beginning is read', async () => {
  let caught: unknown;
  await ask('openai-chat', { head: 'No. ', piece: LONG }, true, 400).catch((error: unknown) => (caught = error));
  expect(String(caught)).toMatch(/^DragomanError: The provider "fake" answered 400: No\. z{400,496}$/);
});
