import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNumber, readArithmetic } from './arithmetic-text.ts';

test.each([
  ['1 + 2', [], false],
  ['i < 10 && j >= 0x1F || 16#ff != k', ['i', 'j', 'k'], false],
  ['a == b', ['a', 'b'], false],
  ['PATH=5', ['PATH'], true],
  ['P"A"TH = 5', ['PATH'], true],
  ['PATH+=5', ['PATH'], true],
  ['PATH<<=1', ['PATH'], true],
  ['i++', ['i'], true],
  ['--i', ['i'], true],
  ['a[PATH=1]', ['a', 'PATH'], true],
  ['$x + ${y} + ${z[1]} + ${#w} + $#', ['x', 'y', 'z'], false],
  ['${n:-0} + $(date +%s) - $(ls | wc -l)', ['n'], false],
  ['P$x=1', ['P', 'x'], true],
])('%s names %j; it sets one of them: %j', (text, names, isAssigning) => {
  expect(readArithmetic(text)).toEqual({ names, isAssigning, isReadable: true });
});

test.each(['$(cat x)', '`id`', '$1', '$@', '${x//a/b}', '${!x}', '${x:-$(id)}', "$'PATH=5'", '$((`id`))', '1; id'])(
  'what %s comes to cannot be told',
  (text) => {
    expect(readArithmetic(text).isReadable).toBe(false);
  },
);

test.each([
  ['5', true],
  ['"-12"', true],
  ['', true],
  ['{1..5}', true],
  ['$((a + (b)))', true],
  ['$?', true],
  ['${#list[@]}', true],
  ['$(seq 1 5)', true],
  ['$(date +%s)', true],
  ['x', false],
  ['a[1]', false],
  ['$x', false],
  ['$(cat x)', false],
  ['$((1))$(cat x)$((2))', false],
  ['5*', false],
])('%s is a number: %j', (text, expected) => {
  expect(isNumber(text)).toBe(expected);
});

test('wherever an assignment stands in an expression, its name is found', () => {
  const around = fc.constantFrom('1 + (', '"', 'a[', '$((', '${b[', 'x ? y : (', '1,', "'");
  const operator = fc.constantFrom('=', ' = ', '+=', ' -= ', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=', '++');
  fc.assert(
    fc.property(fc.array(around, { maxLength: 4 }), operator, (before, by) => {
      const { names, isAssigning } = readArithmetic(`${before.join('')}PATH${by}5`);
      expect({ found: names.includes('PATH'), isAssigning }).toEqual({ found: true, isAssigning: true });
    }),
  );
});
