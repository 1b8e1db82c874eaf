import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import document from '../../uap.schema.json' with { type: 'json' };
import { goldenSessions } from './golden-sessions.fixture.ts';
import { uapSchemaDocument } from './uap-schema-document.ts';

const published = document as Exclude<Parameters<typeof z.fromJSONSchema>[0], boolean>;

/** What another program would take, that has nothing but the published document. */
const message = z.fromJSONSchema(published);
const event = z.fromJSONSchema({ ...published, $ref: '#/$defs/HubEvent' });
const isMessage = (value: unknown): boolean => message.safeParse(value).success;

test('the published schema of the protocol is the one the program uses [UAP-07]', () => {
  expect(published, 'run: npm run schema').toEqual(JSON.parse(JSON.stringify(uapSchemaDocument())));
});

test.each(goldenSessions)('every message and event of the golden session $name is valid [UAP-07]', (fixture) => {
  for (const said of fixture.messages) expect(() => message.parse(said)).not.toThrow();
  for (const logged of fixture.events) expect(() => event.parse(logged.event)).not.toThrow();
});

test('the example of the protocol is valid, and its golden session says it [UAP-14, UAP-15, UAP-16]', () => {
  const example = [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: '用户想要查看文件...' },
        { type: 'tool_use', id: 'call_1', name: 'ls', input: { path: './src' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'index.ts\nutils.ts' }] },
    { role: 'assistant', content: [{ type: 'text', text: '目录中包含 index.ts 和 utils.ts。' }] },
  ];
  expect(example.map(isMessage)).toEqual([true, true, true]);
  expect(goldenSessions.find(({ name }) => name === 'example')?.messages.slice(1)).toEqual(example);
});

describe('what is no message is refused [UAP-07, UAP-08, UAP-09, UAP-10, UAP-11]', () => {
  const saying = (...content: unknown[]) => ({ role: 'assistant', content });
  test.each([
    ['no object', 'hello'],
    ['nothing', null],
    ['no role', { content: [] }],
    ['another role', { role: 'system', content: [] }],
    ['no content', { role: 'user' }],
    ['content that is a text', { role: 'user', content: 'hello' }],
    ['a field more', { role: 'user', content: [], name: 'Ada' }],
    ['a block that is a text', saying('hello')],
    ['a block without a type', saying({ text: 'hello' })],
    ['a block of another type', saying({ type: 'video', url: 'x' })],
    ['a text without its text', saying({ type: 'text' })],
    ['a text that is a number', saying({ type: 'text', text: 1 })],
    ['thinking as text', saying({ type: 'thinking', text: 'hm' })],
    ['a call without an id', saying({ type: 'tool_use', name: 'ls', input: {} })],
    ['a call without a name', saying({ type: 'tool_use', id: 'call_1', input: {} })],
    ['a call without input', saying({ type: 'tool_use', id: 'call_1', name: 'ls' })],
    ['a call with a text as input', saying({ type: 'tool_use', id: 'call_1', name: 'ls', input: '{}' })],
    ['a result without its call', saying({ type: 'tool_result', content: '' })],
    ['a result without content', saying({ type: 'tool_result', tool_use_id: 'call_1' })],
    ['a result with a list as content', saying({ type: 'tool_result', tool_use_id: 'call_1', content: [] })],
    ['one bad block among good ones', saying({ type: 'text', text: 'a' }, { type: 'text' })],
  ])('%s', (_, value) => {
    expect(isMessage(value)).toBe(false);
  });
});

test('blocks may carry more than is known [UAP-07]', () => {
  expect(isMessage({ role: 'user', content: [{ type: 'text', text: 'a', language: 'en' }] })).toBe(true);
});
