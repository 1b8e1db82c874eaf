import { startFakeProvider } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { openTestGateway, provider, recordedAnswer } from '../gateway.fixture.ts';
import { answerId } from './answer-id.ts';

const CALLS = {
  'openai-chat': ['/v1/chat/completions', { messages: [{ role: 'user', content: 'x' }] }, /^chatcmpl-[\w-]+$/],
  'openai-responses': ['/v1/responses', { input: 'x' }, /^resp_[\w-]+$/],
  'anthropic-messages': ['/v1/messages', { max_tokens: 9, messages: [{ role: 'user', content: 'x' }] }, /^msg_[\w-]+$/],
} as const;
const DIALECTS = Object.keys(CALLS) as (keyof typeof CALLS)[];
const UPSTREAMS = [...DIALECTS, 'gemini', 'ollama'] as const;
const ITEMS: Record<string, RegExp> = { message: /^msg_/, reasoning: /^rs_/, function_call: /^fc_/ };

interface Identified {
  id?: string;
  type?: string;
  message?: Identified;
  response?: Identified;
  item?: Identified;
}

describe.each(DIALECTS)('in the dialect %s', (dialect) => {
  const [path, asked, form] = CALLS[dialect];

  test.each(UPSTREAMS.filter((upstream) => upstream !== dialect))(
    'the ids of an answer of a provider of %s have its own form',
    async (upstream) => {
      for (const scenario of ['text', 'reasoning', 'tool']) {
        const fake = await startFakeProvider();
        fake.answer({ body: recordedAnswer(upstream, scenario) });
        const gateway = await openTestGateway({ providers: { fake: provider(upstream, fake.url) } });
        const { text } = await gateway.call(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'fake/m', stream: true, ...asked }),
        });
        const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json!) as Identified);
        const ids = events.flatMap(({ id, message, response }) => id ?? message?.id ?? response?.id ?? []);
        expect(new Set(ids).size).toBe(1);
        expect(ids[0]).toMatch(form);
        const items = events.flatMap(({ item }) => item ?? []);
        expect(items.filter(({ type, id }) => !ITEMS[type!]!.test(id!))).toEqual([]);
      }
    },
  );
});

test('an id keeps what tells the answer of the provider, and one that has no name gets one', () => {
  expect(answerId('resp_', 'chatcmpl-abc')).toBe('resp_abc');
  expect(answerId('chatcmpl-', 'msg_01X')).toBe('chatcmpl-01X');
  expect(answerId('msg_', 'msg_01X')).toBe('msg_01X');
  expect(answerId('msg_', 'gen-1/2 3')).toBe('msg_123');
  expect(answerId('resp_', '')).toMatch(/^resp_\w{10,}$/);
  expect(answerId('resp_', undefined)).toMatch(/^resp_\w{10,}$/);
  expect(answerId('msg_', 'x'.repeat(5_000))).toBe(`msg_${'x'.repeat(100)}`);
});
