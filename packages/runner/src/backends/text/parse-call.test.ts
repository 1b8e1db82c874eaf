import { expect, test } from 'vitest';
import { parseCall } from './parse-call.ts';

test.each([
  ['ls', 'ls', { command: 'ls' }],
  ['ls -la ./src', 'ls', { command: 'ls -la ./src' }],
  ['"quoted" words', 'execute', { command: '"quoted" words' }],
  ['read_file("a.ts")', 'read_file', { input: 'a.ts' }],
  ["read_file(path='a.ts', limit=10)", 'read_file', { path: 'a.ts', limit: 10 }],
  ['read_file({"path": "a.ts"})', 'read_file', { path: 'a.ts' }],
  ['add(1, 2)', 'add', { input: [1, 2] }],
  ['now()', 'now', {}],
  ['say(hello world)', 'say', { input: 'hello world' }],
  ['grep {"pattern": "x"}', 'grep', { pattern: 'x' }],
  ['grep {print}', 'grep', { command: 'grep {print}' }],
  ['搜索: 猫', '搜索', { input: '猫' }],
  ['search:{"q":1}', 'search', { q: 1 }],
  ['https://example.org/x', 'execute', { command: 'https://example.org/x' }],
  ['{"name":"a","arguments":{"b":1}}', 'a', { b: 1 }],
  ['{"action":"a","action_input":"b"}', 'a', { input: 'b' }],
  ['{"type":"function","function":{"name":"a","arguments":"{\\"b\\":2}"}}', 'a', { b: 2 }],
  ['```json\n{"tool":"a","input":{}}\n```', 'a', {}],
])('%s is a call of %s', (text, name, input) => {
  expect(parseCall(text)).toMatchObject({ name, input });
});

test('with an input of its own, the text is the name', () => {
  expect(parseCall('web search', 'cats')).toEqual({
    name: 'web search',
    input: { input: 'cats' },
    title: 'web search',
    kind: 'other',
  });
});
