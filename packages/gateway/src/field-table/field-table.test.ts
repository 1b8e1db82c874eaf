import { describe, expect, test } from 'vitest';
import { ANTHROPIC_ROWS } from './anthropic-rows.fixture.ts';
import { CHAT_ROWS } from './chat-rows.fixture.ts';
import { type FieldRow, type FieldUpstream, fateOf, openFieldGateway } from './field-table.fixture.ts';
import { AUGMENT_ROWS, COMPLETION_ROWS, GEMINI_ROWS, OLLAMA_ROWS } from './other-rows.fixture.ts';
import { RESPONSES_ROWS } from './responses-rows.fixture.ts';

const UPSTREAMS: readonly FieldUpstream[] = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
  'ollama',
  'ai-sdk',
];

interface DialectTable {
  path: string;
  /** What every request has. */
  base: object;
  rows: readonly FieldRow[];
  /** The kind of provider that is sent every field as it came. */
  same?: FieldUpstream;
}

const user = [{ role: 'user', content: 'Hi' }];
const DIALECTS: Record<string, DialectTable> = {
  'openai-chat': { path: '/v1/chat/completions', base: { messages: user }, rows: CHAT_ROWS, same: 'openai-chat' },
  'openai-completions': { path: '/v1/completions', base: { prompt: 'Hi' }, rows: COMPLETION_ROWS, same: 'openai-chat' },
  'openai-responses': { path: '/v1/responses', base: { input: 'Hi' }, rows: RESPONSES_ROWS, same: 'openai-responses' },
  'anthropic-messages': {
    path: '/v1/messages',
    base: { messages: user, max_tokens: 9 },
    rows: ANTHROPIC_ROWS,
    same: 'anthropic-messages',
  },
  gemini: {
    path: '/v1beta/models/default:generateContent',
    base: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    rows: GEMINI_ROWS,
    same: 'gemini',
  },
  augment: { path: '/chat', base: { message: 'Hi', nodes: [], chat_history: [] }, rows: AUGMENT_ROWS },
  ollama: { path: '/api/chat', base: { messages: user, stream: false }, rows: OLLAMA_ROWS, same: 'ollama' },
};

const RELAYED = Object.entries(DIALECTS).flatMap(([name, { same }]): [string, FieldUpstream][] =>
  same === undefined ? [] : [[name, same]],
);

describe.each(Object.entries(DIALECTS))('%s', (name, { path, base, rows, same }) => {
  const routed = name === 'gemini' ? base : { model: 'default', ...base };

  test.each(UPSTREAMS.filter((kind) => kind !== same))(
    'each field becomes on %s what the table says, and none is dropped in silence',
    async (kind) => {
      const opened = await openFieldGateway(kind);
      const fates: Record<string, string> = {};
      const expected: Record<string, string> = {};
      for (const [field, body, told] of rows) {
        expected[field] = told[kind] ?? told.all ?? 'a word in the table';
        fates[field] = await fateOf(opened, path, { ...routed, ...body }, expected[field]);
      }
      expect(fates).toEqual(expected);
    },
  );
});

test.each(RELAYED)('a provider that speaks %s gets each field as it came', async (name, same) => {
  const { path, base, rows } = DIALECTS[name]!;
  const routed = name === 'gemini' ? base : { model: 'default', ...base };
  const { gateway, fake } = await openFieldGateway(same);
  for (const [, body] of rows) {
    const { status } = await gateway.call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...routed, ...body }),
    });
    expect(status).toBe(200);
    expect(fake.requests.at(-1)!.body).toMatchObject(body);
  }
});
