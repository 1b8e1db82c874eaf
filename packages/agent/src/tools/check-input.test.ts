import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkInput, parseArguments } from './check-input.ts';
import { Tool } from './tool.ts';

const execute = async () => ({ title: '', output: '' });
const typed = Tool.define({
  id: 'typed',
  description: '',
  parameters: z.object({ path: z.string(), limit: z.number().default(10) }),
  execute,
});
const foreign = Tool.define({
  id: 'foreign',
  description: '',
  parameters: { type: 'object', required: ['path', 'mode'] },
  execute,
});

test.each([
  ['', {}],
  [' \n', {}],
  ['{"a":[1]}', { a: [1] }],
])('the argument text %j is an input', (raw, input) => {
  expect(parseArguments(raw)).toEqual({ isValid: true, input });
});

test.each([
  ['[]', /^The arguments must be a JSON object; they were: \[\]$/],
  ['null', /^The arguments must be a JSON object; they were: null$/],
  ['{"a":', /^The arguments are not valid JSON \(.+\)\. They were: \{"a":$/],
  [`"${'x'.repeat(500)}"`, /they were: "x{299}…$/],
])('of the argument text %j the model is told what is wrong', (raw, problem) => {
  expect(parseArguments(raw)).toEqual({ isValid: false, problem: expect.stringMatching(problem) as string });
});

test('an input that fits comes back as the tool wants it, one that does not with every reason [FR-28]', () => {
  expect(checkInput(typed, { path: 'a' })).toEqual({ isValid: true, input: { path: 'a', limit: 10 } });
  expect(checkInput(typed, { limit: 'x' })).toEqual({
    isValid: false,
    problem:
      'The arguments do not fit the tool "typed": path: Invalid input: expected string, received undefined; limit: Invalid input: expected number, received string. They were: {"limit":"x"}. Call it again with arguments that fit.',
  });
});

test('what a foreign tool requires has to be there; the rest it checks itself [FR-43]', () => {
  expect(checkInput(foreign, { path: 'a', mode: 5 })).toEqual({ isValid: true, input: { path: 'a', mode: 5 } });
  expect(checkInput(foreign, { path: 'a' })).toMatchObject({
    problem: 'The arguments do not fit the tool "foreign": mode is missing. They were: {"path":"a"}.',
  });
  expect(checkInput(foreign, {})).toMatchObject({
    problem: expect.stringContaining('path, mode are missing') as string,
  });
  const free = Tool.define({ id: 'free', description: '', parameters: { type: 'object' }, execute });
  expect(checkInput(free, {})).toEqual({ isValid: true, input: {} });
});

test('a foreign schema is checked for what is missing and for plain types; the rest is its maker’s', () => {
  const tool = Tool.define({
    id: 'die',
    description: 'Rolls.',
    parameters: { type: 'object', properties: { sides: { type: 'integer' }, of: { anyOf: [] } }, required: ['sides'] },
    execute: async () => ({ title: '', output: '' }),
  });
  expect(checkInput(tool, { sides: 'x', of: 5 })).toEqual({
    isValid: false,
    problem: 'The arguments do not fit the tool "die": sides: expected integer. They were: {"of":5,"sides":"x"}.',
  });
  expect(checkInput(tool, { sides: 6, of: 'bone' })).toEqual({ isValid: true, input: { sides: 6, of: 'bone' } });
});
