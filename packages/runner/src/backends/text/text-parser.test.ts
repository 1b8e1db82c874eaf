import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLive, parseText } from './parse-text.fixture.ts';
import { TEXT_PRESETS, type TextPreset } from './text-rules.ts';

test('thoughts, calls, results and the answer of an agent that marks them in Chinese become blocks [UAP-23]', () => {
  const text =
    '思考: 用户想要查看文件...\n执行: ls ./src\n结果:\nindex.ts\nutils.ts\n回答：目录中包含 index.ts 和 utils.ts。\n';

  expect(parseText([text])).toEqual([
    { thinking: '用户想要查看文件...' },
    { use: 'call_1', name: 'ls', input: { command: 'ls ./src' } },
    { result: 'call_1', content: 'index.ts\nutils.ts' },
    { text: '目录中包含 index.ts 和 utils.ts。' },
  ]);
});

test('the form of ReAct is understood, with bold markers and the input on a line of its own [UAP-23]', () => {
  const text =
    'Thought: look first\n**Action:** search\nAction Input: {"query": "cats"}\nObservation: 3 found\n**Final Answer**: three';

  expect(parseText([text])).toEqual([
    { thinking: 'look first' },
    { use: 'call_1', name: 'search', input: { query: 'cats' } },
    { result: 'call_1', content: '3 found' },
    { text: 'three' },
  ]);
});

test('thoughts between tags are thinking, wherever they stand in a line', () => {
  expect(parseText(['Well <think>is it 4?\nThought: yes</think>\n\nIt is 4. </think>'])).toEqual([
    { text: 'Well ' },
    { thinking: 'is it 4?\nThought: yes' },
    { text: 'It is 4. </think>' },
  ]);
});

test('a fenced block is a call where its language says so, and JSON where it looks like a call', () => {
  const text = [
    'First:',
    '```tool',
    'read_file(path="a.ts", limit=3)',
    '```',
    '```json',
    '{"name": "grep", "arguments": {"pattern": "x"}}',
    '```',
    '```tool_result',
    'one',
    '```',
    '```tool_result',
    'two',
    '```',
    'An example:',
    '```json',
    '{"a": 1}',
    '```',
    'Done.',
  ].join('\n');

  expect(parseText([text])).toEqual([
    { text: 'First:' },
    { use: 'call_1', name: 'read_file', input: { path: 'a.ts', limit: 3 } },
    { use: 'call_2', name: 'grep', input: { pattern: 'x' } },
    { result: 'call_1', content: 'one' },
    { result: 'call_2', content: 'two' },
    { text: 'An example:\n```json\n{"a": 1}\n```\nDone.' },
  ]);
});

test('markers inside of code, a result without a call and a fence that is never closed are text [UAP-24]', () => {
  const text = 'Write it so:\n```\nThought: hm\n```\nResult: nothing ran\n```json\n{"name": "ls", "input": {}}';

  expect(parseText([text])).toEqual([{ text }]);
});

test('text that fits no rule is text, to the last character; only empty lines around it go [UAP-24]', () => {
  expect(parseText(['\n\n  Hello, **world**.\n\n\tBye: 1 < 2\u00a0\n\n'])).toEqual([
    { text: '  Hello, **world**.\n\n\tBye: 1 < 2\u00a0' },
  ]);
  expect(parseText([' \n \n'])).toEqual([]);
});

test('an empty line ends a thought or a call, so that an unmarked answer is seen', () => {
  expect(parseText(['思考: 简单\n\n四十二。'])).toEqual([{ thinking: '简单' }, { text: '四十二。' }]);
});

test('calls in a row are answered in their order, and one that the text went on without gets none', () => {
  expect(parseText(['Action: a\nAction: b\nObservation: 1\nObservation: 2'])).toEqual([
    { use: 'call_1', name: 'a', input: { command: 'a' } },
    { use: 'call_2', name: 'b', input: { command: 'b' } },
    { result: 'call_1', content: '1' },
    { result: 'call_2', content: '2' },
  ]);
  expect(parseText(['Action: a\nThought: no\nAction: b\nObservation: 2'])).toEqual([
    { use: 'call_1', name: 'a', input: { command: 'a' } },
    { thinking: 'no' },
    { use: 'call_2', name: 'b', input: { command: 'b' } },
    { result: 'call_2', content: '2' },
  ]);
});

test('for a call without a result none is made up; it has failed where the agent was stopped', () => {
  expect(parseText(['执行: sleep 9'])).toEqual([{ use: 'call_1', name: 'sleep', input: { command: 'sleep 9' } }]);
  expect(parseText(['执行: sleep 9'], TEXT_PRESETS.default, true)[1]).toEqual({
    result: 'call_1',
    content: 'The turn ended before a result came.',
    isError: true,
  });
});

test('text is told at once unless it may be the beginning of a marker, and a call when its line is whole [UAP-18]', () => {
  const call = { name: 'npm', input: { command: 'npm test' }, title: 'npm test', kind: 'execute' };

  expect(parseLive(['Hel', 'lo', '\nTh', 'e end\n', '执行: npm test', '\n', '结果: ', 'ok 1', '\nok 2'])).toEqual([
    [{ type: 'text', delta: 'Hel' }],
    [{ type: 'text', delta: 'lo' }],
    [],
    [{ type: 'text', delta: '\nThe end' }],
    [{ type: 'end' }],
    [{ type: 'tool-use', id: 'call_1', isOpen: true, ...call }],
    [{ type: 'tool-use', id: 'call_1', isOpen: false, ...call }],
    [{ type: 'tool-output', id: 'call_1', delta: 'ok 1' }],
    [{ type: 'tool-output', id: 'call_1', delta: '\nok 2' }],
  ]);
});

test('rules of one’s own count alone, and with the plain preset nothing is looked for', () => {
  expect(parseText(['HMM so\nThought: x\nGO(1)'], { thinking: ['HMM'], tool: ['GO'] })).toEqual([
    { thinking: 'so\nThought: x' },
    { use: 'call_1', name: 'execute', input: { command: '(1)' } },
  ]);
  const text = 'Thought: a\n<think>b</think>\n```tool\nls\n```';
  expect(parseText([text], TEXT_PRESETS.plain)).toEqual([{ text }]);
});

const WORDS = ['思', 'Act', '<', '`', '*', ':', '😀', 'é', '  ', '          ', '\t', '\n', '\n\n', '\r\n', '\r'];
const MARKERS = [
  '思考:',
  '思考：',
  '执行:',
  '结果:',
  '回答:',
  '输入:',
  'Thought:',
  '**Action:**',
  'Action:',
  'Action Input:',
];
const FENCES = ['```', '```tool', '```json', '```tool_result', '````', '<think>', '</think>', '<thinking>'];
const CALLS = ['{"name":"ls","input":{}}', '{"a":1}', 'ls -la', 'f(1)', 'Observation:', 'Final Answer:', '\n'];
const ESCAPES = ['\u001b[31m', '\u001b]0;title\u0007', '\u001b(B'];
const noise = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS, ...MARKERS, ...FENCES, ...CALLS, ...ESCAPES) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
);
const texts = fc.array(noise, { maxLength: 30 }).map((parts) => parts.join(''));

test('any cutting of the bytes gives the same blocks, also within a character or a marker [UAP-24]', () => {
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom(...(Object.keys(TEXT_PRESETS) as TextPreset[])),
      fc.array(fc.nat({ max: 40 }), { maxLength: 30 }),
      (text, preset, sizes) => {
        const whole = parseText([text], TEXT_PRESETS[preset]);
        const bytes = Buffer.from(text);
        expect(parseText(cut(bytes, sizes), TEXT_PRESETS[preset])).toEqual(whole);
        expect(parseText(cut(bytes, Array(bytes.length).fill(1)), TEXT_PRESETS[preset])).toEqual(whole);
      },
    ),
    { seed: 24, numRuns: 1500 },
  );
});

test('no word of the text is lost, whatever stands around it [UAP-24]', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...WORDS, ...MARKERS, ...FENCES), { maxLength: 30 }), (parts) => {
      const words = parts.map((part, index) => `${part}w${index}w`);
      const told = JSON.stringify(parseText([words.join('')]));
      for (const index of parts.keys()) expect(told).toContain(`w${index}w`);
    }),
    { seed: 25, numRuns: 500 },
  );
});

test('every result belongs to a call before it, and no call has two', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const blocks = parseText([text]);
      const uses = blocks.flatMap((block) => ('use' in block ? [block.use] : []));
      const results = blocks.flatMap((block) => ('result' in block ? [block.result] : []));
      const place = (key: 'use' | 'result', id: string) =>
        blocks.findIndex((block) => Object.entries(block).some(([name, value]) => name === key && value === id));

      expect(results).toEqual([...new Set(results)]);
      expect(results.filter((id) => !uses.includes(id) || place('use', id) > place('result', id))).toEqual([]);
    }),
    { seed: 26, numRuns: 500 },
  );
});

/** The bytes in pieces of these sizes, and the rest as one. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  let at = 0;
  const pieces = sizes.map((size) => bytes.subarray(at, (at += size)));
  return [...pieces, bytes.subarray(at)];
}
