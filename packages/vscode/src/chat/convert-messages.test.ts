import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  LanguageModelDataPart,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
} from '../vscode.fixture.ts';
import { type ChatMessage, convertMessages, type EditorMessage } from './convert-messages.ts';

const text = (value: string) => new LanguageModelTextPart(value);
const call = (id: string, name: string, input: object) => new LanguageModelToolCallPart(id, name, input);
const result = (id: string, ...content: unknown[]) => new LanguageModelToolResultPart(id, content);
const image = (bytes: number[]) => LanguageModelDataPart.image(Uint8Array.from(bytes), 'image/png');

const user = (...content: unknown[]): EditorMessage => ({ role: 1, content });
const assistant = (...content: unknown[]): EditorMessage => ({ role: 2, content });

test('a conversation with a tool call becomes one of the Chat Completions dialect', () => {
  expect(
    convertMessages([
      { role: 3, content: [text('Be brief.')] },
      user(text('Where is '), text('the bill paid?')),
      assistant(text('Let me look.'), call('c1', 'search', { query: 'bill' }), call('c2', 'list', {})),
      user(result('c1', text('src/pay.ts'), text(':3')), result('c2', 'plain')),
      assistant(text('In src/pay.ts.')),
    ]),
  ).toEqual([
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Where is ' },
        { type: 'text', text: 'the bill paid?' },
      ],
    },
    {
      role: 'assistant',
      content: 'Let me look.',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'search', arguments: '{"query":"bill"}' } },
        { id: 'c2', type: 'function', function: { name: 'list', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'src/pay.ts:3' },
    { role: 'tool', tool_call_id: 'c2', content: 'plain' },
    { role: 'assistant', content: 'In src/pay.ts.' },
  ]);
});

describe('pictures', () => {
  test('go along as data, beside their text', () => {
    expect(convertMessages([user(text('What is this?'), image([1, 2, 3]))])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
        ],
      },
    ]);
  });

  test('that a tool gave back follow its result, which names them', () => {
    expect(convertMessages([user(result('c1', text('a screenshot: '), image([1])))])).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'a screenshot: [image/png]' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AQ==' } }] },
    ]);
  });
});

test('text and JSON that come as data are text; what only the editor understands is left out', () => {
  const bytes = (value: string) => new TextEncoder().encode(value);
  expect(
    convertMessages([
      user(new LanguageModelDataPart(bytes('ephemeral'), 'cache_control'), text('hello')),
      assistant({ value: 'I think…', id: 'r1', metadata: undefined }, text('hi')),
      user(result('c1', new LanguageModelDataPart(bytes('{"a":1}'), 'application/json'), { value: { tree: [1] } })),
      user(new LanguageModelDataPart(bytes('line'), 'text/plain'), 7, null, 'stray', { odd: true }),
      assistant(),
    ]),
  ).toEqual([
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: 'hi' },
    { role: 'tool', tool_call_id: 'c1', content: '{"a":1}{"tree":[1]}' },
    { role: 'user', content: 'line' },
  ]);
});

const partArbitrary = fc.oneof(
  fc.string().map(text),
  fc
    .tuple(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), fc.dictionary(fc.string(), fc.jsonValue()))
    .map(([id, name, input]) => call(id, name, input)),
  fc.tuple(fc.string({ minLength: 1 }), fc.array(fc.string().map(text))).map(([id, content]) => result(id, ...content)),
  fc.uint8Array().map((data) => new LanguageModelDataPart(data, 'image/jpeg')),
  fc
    .anything()
    .filter((odd) => !['value', 'callId', 'mimeType'].some((name) => Object(odd) === odd && name in (odd as object))),
);
const messageArbitrary = fc.record({ role: fc.constantFrom(1, 2, 3, 9), content: fc.array(partArbitrary) });

describe('for any messages', () => {
  test('every text, call, result and picture arrives once, in order, and nothing is made up', () => {
    fc.assert(
      fc.property(fc.array(messageArbitrary), (messages) => {
        const converted = convertMessages(messages);
        const parts = messages.flatMap(({ role, content }) => content.map((part) => ({ role, part })));
        const said = (role: ChatMessage['role']) =>
          converted.flatMap((message) => (message.role === role ? textsOf(message) : [])).join('');
        const texts = (...roles: number[]) =>
          parts
            .map(({ role, part }) => (roles.includes(role) && part instanceof LanguageModelTextPart ? part.value : ''))
            .join('');

        expect([said('user'), said('assistant'), said('system')]).toEqual([texts(1, 9), texts(2), texts(3)]);
        expect(converted.flatMap(picturesOf)).toEqual(
          parts.flatMap(({ role, part }) =>
            [1, 9].includes(role) && part instanceof LanguageModelDataPart
              ? [`data:image/jpeg;base64,${Buffer.from(part.data).toString('base64')}`]
              : [],
          ),
        );
        expect(
          converted
            .flatMap((message) => ('tool_calls' in message ? (message.tool_calls ?? []) : []))
            .map(({ id }) => id),
        ).toEqual(
          parts.flatMap(({ role, part }) =>
            role === 2 && part instanceof LanguageModelToolCallPart ? [part.callId] : [],
          ),
        );
        expect(converted.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : []))).toEqual(
          parts.flatMap(({ role, part }) =>
            role !== 2 && role !== 3 && part instanceof LanguageModelToolResultPart ? [part.callId] : [],
          ),
        );
      }),
      { seed: 1 },
    );
  });

  test('what comes out is JSON that the dialect takes: no message is empty, and arguments are objects', () => {
    fc.assert(
      fc.property(fc.array(messageArbitrary), (messages) => {
        for (const message of convertMessages(messages)) {
          expect(JSON.parse(JSON.stringify(message))).toEqual(message);
          const calls = 'tool_calls' in message ? (message.tool_calls ?? []) : [];
          expect(message.role === 'tool' || calls.length > 0 || (message.content ?? '').length > 0).toBe(true);
          for (const { function: called } of calls) expect(JSON.parse(called.arguments)).toBeTypeOf('object');
        }
      }),
      { seed: 1 },
    );
  });
});

function textsOf({ content }: ChatMessage): string[] {
  if (typeof content === 'string') return [content];
  return (content ?? []).map((piece) => (piece.type === 'text' ? piece.text : ''));
}

function picturesOf({ content }: ChatMessage): string[] {
  if (typeof content === 'string') return [];
  return (content ?? []).flatMap((piece) => (piece.type === 'image_url' ? [piece.image_url.url] : []));
}
