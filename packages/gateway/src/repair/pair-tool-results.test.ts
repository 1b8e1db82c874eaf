import type { ModelMessage, PromptToolResult } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { pairToolResults } from './pair-tool-results.ts';

const text = (content: string) => ({ type: 'text' as const, text: content });
const user = (content: string): ModelMessage => ({ role: 'user', content: [text(content)] });
const calls = (...ids: string[]): Extract<ModelMessage, { role: 'assistant' }> => ({
  role: 'assistant',
  content: ids.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'f', input: '{}' })),
});
const result = (toolCallId: string, isError = false): PromptToolResult => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'f',
  content: [text('out')],
  isError,
});
const results = (...ids: string[]): ModelMessage => ({ role: 'tool', content: ids.map((id) => result(id)) });

test('a prompt whose calls and results belong together comes back itself, ids used again included', () => {
  const prompt = [user('a'), calls('1', '2'), results('2'), results('1'), calls('1'), results('1'), user('b')];

  expect(pairToolResults(prompt)).toBe(prompt);
});

test('a result without its call, one too late and one too many become text of the user, files included', () => {
  const image = { type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: 'AA' } } as const;
  const late: ModelMessage = { role: 'tool', content: [{ ...result('1', true), content: [text('out'), image] }] };

  expect(pairToolResults([results('0'), calls('1'), results('1', '1'), user('a'), late])).toEqual([
    { role: 'user', content: [text('Result of the tool call 0:\nout')] },
    calls('1'),
    results('1'),
    { role: 'user', content: [text('Result of the tool call 1:\nout')] },
    user('a'),
    { role: 'user', content: [text('Error of the tool call 1:\nout'), image] },
  ]);
});

test('a call that nothing answered is said to have no result before anybody else speaks', () => {
  const unanswered = (toolCallId: string) => ({
    type: 'tool-result',
    toolCallId,
    toolName: 'f',
    content: [text('No result came back.')],
    isError: true,
  });

  expect(
    pairToolResults([calls('1', '2'), results('2'), user('a'), calls('3'), user('b'), calls('4'), results('9')]),
  ).toEqual([
    calls('1', '2'),
    { role: 'tool', content: [result('2'), unanswered('1')] },
    user('a'),
    calls('3'),
    { role: 'tool', content: [unanswered('3')] },
    user('b'),
    calls('4'),
    { role: 'tool', content: [unanswered('4')] },
    { role: 'user', content: [text('Result of the tool call 9:\nout')] },
  ]);
});

test('an answer in several messages is one, a call in it twice is made once, and rules do not stand before its results', () => {
  const rule: ModelMessage = { role: 'system', content: 'be short' };
  const more: ModelMessage = { role: 'assistant', content: [text('and'), ...calls('1', '2').content] };

  expect(pairToolResults([calls('1'), more, rule, results('1'), results('2'), user('a')])).toEqual([
    { role: 'assistant', content: [...calls('1').content, text('and'), ...calls('2').content] },
    results('1'),
    results('2'),
    rule,
    user('a'),
  ]);
});

test('a call at the very end has a result that says there is none', () => {
  expect(pairToolResults([user('a'), calls('1')]).at(-1)).toMatchObject({
    role: 'tool',
    content: [{ toolCallId: '1', isError: true }],
  });
});
