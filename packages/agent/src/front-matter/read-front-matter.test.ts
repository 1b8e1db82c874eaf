import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrontMatterError, readFrontMatter } from './read-front-matter.ts';

test.each([
  ['plain', '---\na: 1\nb:\n  c: [x]\n---\n\nThe body.\n---\nmore\n'],
  ['of Windows, with a byte order mark', '\uFEFF---\r\na: 1\r\nb:\r\n  c: [x]\r\n---\r\nThe body.\r\n---\r\nmore'],
  ['of old machines, with spaces after the hyphens', '---  \ra: 1\rb:\r  c: [x]\r--- \t\rThe body.\r---\rmore\r'],
])('fields and body are told apart, and line ends that are %s make no difference [FR-35]', async (_which, text) => {
  const { isThere, fields, body } = await readFrontMatter(text);

  expect({ isThere, fields, body }).toEqual({
    isThere: true,
    fields: { a: 1, b: { c: ['x'] } },
    body: 'The body.\n---\nmore',
  });
});

test('a file without fields is all body, and fields may be empty', async () => {
  expect(await readFrontMatter('# Just text\n')).toMatchObject({ isThere: false, fields: {}, body: '# Just text' });
  expect(await readFrontMatter('')).toMatchObject({ isThere: false, fields: {}, body: '' });
  expect(await readFrontMatter('---\n---\ntext')).toMatchObject({ isThere: true, fields: {}, body: 'text' });
  expect(await readFrontMatter('---\n# nothing\n---')).toMatchObject({ isThere: true, fields: {}, body: '' });
});

test('a plain text may have a colon in it, as people write it', async () => {
  const { fields, lineOf } = await readFrontMatter('---\ndescription: Use it when: "tea": always\nmode: all\n---\n');

  expect(fields).toEqual({ description: 'Use it when: "tea": always', mode: 'all' });
  expect(lineOf(['mode'])).toBe(3);
});

test('a field is found in its line, and one that is not there in the nearest around it', async () => {
  const { lineOf } = await readFrontMatter('---\na: 1\nb:\n  c: 2\n  d:\n    - x\n---\n');

  expect([['a'], ['b'], ['b', 'c'], ['b', 'd', 0], ['b', 'nope'], ['nope'], []].map((path) => lineOf(path))).toEqual([
    2, 3, 4, 5, 3, 1, 1,
  ]);
});

const NOT_FIELDS = 'the front matter must be lines of "field: value", such as "description: …"';

test.each([
  ['---\na: 1\n', 1, 'the front matter has no end; a line "---" must follow it'],
  ['---\na: 1\nb: "x\nc: 3\n---\n', 4, 'the front matter is not YAML: Missing closing "quote'],
  ['---\na: 1\na: 2\n---\n', 3, 'the front matter is not YAML: Map keys must be unique'],
  ['---\na: b: c\nd: [\n---\n', 2, 'the front matter is not YAML: Nested mappings are not allowed in compact mappings'],
  [
    '---\na: *nobody\n---\n',
    2,
    'the front matter is not YAML: Unresolved alias (the anchor must be set before the alias): nobody',
  ],
  ['---\n- a\n---\n', 2, NOT_FIELDS],
  ['---\njust words\n---\n', 2, NOT_FIELDS],
])('what is wrong in %j is told with its line [FR-35]', async (text, line, message) => {
  const error = await readFrontMatter(text).catch((caught: unknown) => caught);

  expect(error).toBeInstanceOf(FrontMatterError);
  expect(error).toMatchObject({ line, message });
});

test('any text is either read or refused with a line that is there', async () => {
  const line = fc.oneof(
    fc.constantFrom('---', 'a: 1', 'a: b: c', 'a: [', '  b: "x', '- y', '', 'text', '&a *a', ': :', '\t', '---\r'),
    fc.string({ unit: 'binary' }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 10 }), async (lines) => {
      const text = `---\n${lines.join('\n')}`;
      const read = await readFrontMatter(text).catch((error: unknown) => error as FrontMatterError);
      const line = read instanceof FrontMatterError ? read.line : read.lineOf(['a']);

      expect(line).toBeGreaterThanOrEqual(1);
      expect(line).toBeLessThanOrEqual(text.split(/\r\n|\r|\n/).length);
    }),
  );
});
