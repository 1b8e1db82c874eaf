import type { ModelMessage } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { boundToolArguments } from './bound-tool-arguments.ts';

const calling = (...inputs: string[]): ModelMessage[] => [
  { role: 'user', content: [{ type: 'text', text: 'Do it.' }] },
  {
    role: 'assistant',
    content: inputs.map((input, index) => ({ type: 'tool-call', toolCallId: `c${index}`, toolName: 't', input })),
  },
];

test('arguments of any usual size stay as they are, and with them the prompt itself', () => {
  const prompt = calling(
    '{"path":"a.ts","list":[1,2,{"deep":[[[]]]}]}',
    'no JSON at all',
    JSON.stringify({ text: 'x'.repeat(1e6) }),
  );

  expect(boundToolArguments(prompt)).toBe(prompt);
});

test('arguments that are nested too deep become text', () => {
  const deep = `{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`;

  expect(boundToolArguments(calling('{"a":1}', deep))).toEqual(calling('{"a":1}', JSON.stringify({ input: deep })));
});

test('many calls share what arguments may hold', () => {
  const list = JSON.stringify({ list: Array(40_000).fill(0) });
  const text = JSON.stringify({ input: list });

  expect(boundToolArguments(calling(list, list, list, '{"a":1}'))).toEqual(calling(list, list, text, '{"a":1}'));
});
