import { expect, test } from 'vitest';
import { conversationKey, promptKey } from './conversation-key.ts';

const OWNER = { userId: 'usr_1' as never, userName: 'ada', tokenName: 'desk' };
const key = (body: unknown, headers: Record<string, string> = {}, owner = OWNER) =>
  conversationKey({ owner, headers, body });
const said = (content: unknown, ...more: unknown[]) => ({ messages: [{ role: 'user', content }, ...more] });

test('a conversation is known by the name that the client gives it', () => {
  const named = [
    { prompt_cache_key: 'n' },
    { conversation_id: 'n' },
    { conversation: { id: 'n' } },
    { conversation: 'n' },
    { session_id: 'n' },
  ];
  expect(new Set(named.map((fields) => key({ ...fields, ...said(String(Math.random())) }))).size).toBe(1);
  expect(key(said('a'), { session_id: 'n' })).toBe(key(said('b'), { 'x-session-id': 'n' }));
  expect(key({ prompt_cache_key: 'n' })).not.toBe(key({ prompt_cache_key: 'm' }));
});

test('else by how it begins, in every dialect', () => {
  const turns = [
    [said('Hi'), said([{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }], { role: 'assistant' })],
    [
      { instructions: 'Be brief', input: 'Hi' },
      {
        instructions: 'Be brief',
        input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }, {}],
      },
    ],
    [
      { systemInstruction: { parts: [{ text: 'S' }] }, contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
      { systemInstruction: { parts: [{ text: 'S' }] }, contents: [{ parts: [{ text: 'Hi' }] }, { role: 'model' }] },
    ],
    [
      { message: 'Hi', chat_history: [] },
      { message: 'More', chat_history: [{ request_message: 'Hi', response_text: 'Hello' }] },
    ],
    [
      { nodes: [{ type: 0, text_node: { content: 'Hi' } }], chat_history: [] },
      { message: 'x', chat_history: [{ request_nodes: [{ type: 0, text_node: { content: 'Hi' } }] }] },
    ],
  ];
  for (const [first, second] of turns) {
    expect(key(first)).toEqual(expect.any(String));
    expect(key(second)).toBe(key(first));
  }
});

test('other words, another system prompt, another person or another token make another conversation', () => {
  const keys = [
    key(said('Hi')),
    key(said('Hello')),
    key({ system: 'S', ...said('Hi') }),
    key({
      messages: [
        { role: 'system', content: 'T' },
        { role: 'user', content: 'Hi' },
      ],
    }),
    key({ metadata: { user_id: 'bob' }, ...said('Hi') }),
    key(said('Hi'), {}, { ...OWNER, tokenName: 'laptop' }),
    key(said('Hi'), {}, { ...OWNER, userId: 'usr_2' as never }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

test('what nobody has said anything in belongs to no conversation', () => {
  for (const body of [
    null,
    'x',
    [],
    {},
    { messages: [] },
    { messages: 'x'.repeat(0) || null },
    { messages: [null, { role: 'assistant' }] },
  ])
    expect(key(body)).toBe(undefined);
});

test('a prompt of an agent is known like that of a client', () => {
  const system = { role: 'system' as const, content: 'S' };
  const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] });

  expect(promptKey(OWNER, [system, user('Hi')])).toBe(promptKey(OWNER, [system, user('Hi'), user('More')]));
  expect(promptKey(OWNER, [system, user('Hi')])).not.toBe(promptKey(OWNER, [system, user('Ho')]));
  expect(promptKey(OWNER, [system])).toBe(undefined);
});
