import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FrontMatter, FrontMatterError, readFrontMatter } from './front-matter.ts';

test('fields and body are told apart, whatever the line endings are', async () => {
  for (const text of [
    '---\na: 1\nb:\n  c: [x]\n---\n\nThe body.\n---\nmore\n',
    '\uFEFF---\r\na: 1\r\nb:\r\n  c: [x]\r\n---\r\nThe body.\r\n---\r\nmore',
  ]) {
    const { fields, body } = await readFrontMatter(text);
    expect(fields).toEqual({ a: 1, b: { c: ['x'] } });
    expect(body).toBe('The body.\n---\nmore');
  }
});

test('a file without fields is all body, and fields may be empty', async () => {
  expect(await readFrontMatter('# Just text\n')).toMatchObject({ fields: {}, body: '# Just text' });
  expect(await readFrontMatter('---\n---\ntext')).toMatchObject({ fields: {}, body: 'text' });
  expect(await readFrontMatter('---\n# nothing\n---')).toMatchObject({ fields: {}, body: '' });
});

test('a field is found in its line, and one that is not there in the nearest that is', async () => {
  const { lineOf } = await readFrontMatter('---\na: 1\nb:\n  c: 2\n  d:\n    - x\n---\n');

  expect([['a'], ['b'], ['b', 'c'], ['b', 'd', 0], ['b', 'nope'], ['nope'], []].map((path) => lineOf(path))).toEqual([
    2, 3, 4, 5, 3, 2, 2,
  ]);
});

test.each([
  ['---\na: 1\n', 1, 'never end'],
  ['---\na: 1\nb: [1, 2\nc: 3\n---\n', 4, 'end with a ]'],
  ['---\na: 1\na: 2\n---\n', 3, 'unique'],
  ['---\n- a\n---\n', 2, 'stand fields'],
  ['---\njust words\n---\n', 2, 'stand fields'],
])('what is wrong in %j is told with its line', async (text, line, reason) => {
  const error = await readFrontMatter(text).catch((caught: unknown) => caught);

  expect(error).toBeInstanceOf(FrontMatterError);
  expect(error).toMatchObject({ line });
  expect((error as Error).message).toContain(reason);
});

test('any text is either read or refused with a line', async () => {
  const line = fc.constantFrom('---', 'a: 1', 'a: [', '  b: "x', '- y', '', 'text', '&a *a', ': :', '\t');
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
      const read = await readFrontMatter(lines.join('\n')).catch((error: unknown) => error);
      const isRefused = read instanceof FrontMatterError && read.line > 0;
      expect(isRefused || (read as FrontMatter).body !== undefined).toBe(true);
    }),
  );
});
