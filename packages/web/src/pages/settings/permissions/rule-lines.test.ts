import fc from 'fast-check';
import { expect, test } from 'vitest';
import { permissionsOf, ruleLines, ruleMistake } from './rule-lines.ts';

test('the section becomes lines in its order, and lines become the section', () => {
  const section = { bash: { 'git *': 'allow', 'rm *': 'deny' }, edit: 'ask', '*': 'allow' };

  expect(ruleLines(section).map(({ action, tool, pattern }) => `${action} ${tool} ${pattern}`)).toEqual([
    'allow bash git *',
    'deny bash rm *',
    'ask edit *',
    'allow * *',
  ]);
  expect(permissionsOf(ruleLines(section))).toEqual(section);
  expect(ruleLines({ bash: 'perhaps', edit: { a: 3 } })).toEqual([]);
  expect(ruleLines(undefined)).toEqual([]);
});

test('a rule without a tool, and two about the same, are mistakes; no pattern is every pattern', () => {
  const line = (tool: string, pattern: string, id = 0) => ({ id, action: 'ask', tool, pattern }) as const;

  expect(ruleMistake([line(' ', '*')])).toBe('tool-missing');
  expect(ruleMistake([line('bash', ''), line('bash ', '*', 1)])).toBe('twice');
  expect(ruleMistake([line('bash', 'a'), line('bash', 'b', 1)])).toBeUndefined();
  expect(permissionsOf([line('bash', '')])).toEqual({ bash: 'ask' });
});

test('whatever rules a person writes, they come back as they were', () => {
  const word = fc.stringMatching(/^[a-z*?-]{1,8}$/);
  const action = fc.constantFrom('allow', 'ask', 'deny');
  const section = fc.dictionary(word, fc.oneof(action, fc.dictionary(word, action, { minKeys: 2 })));
  fc.assert(
    fc.property(section, (given) => {
      expect(permissionsOf(ruleLines(given))).toEqual(given);
    }),
  );
});
