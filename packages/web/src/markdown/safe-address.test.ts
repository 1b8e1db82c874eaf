import { expect, test } from 'vitest';
import { linkTarget, mentionedFile } from './safe-address.ts';

test('addresses on the web and mailboxes are links', () => {
  expect(linkTarget('https://example.com/a?b=c#d')).toEqual({
    type: 'address',
    href: 'https://example.com/a?b=c#d',
    host: 'example.com',
  });
  expect(linkTarget('HTTP://EXAMPLE.com')).toEqual({
    type: 'address',
    href: 'http://example.com/',
    host: 'example.com',
  });
  expect(linkTarget('mailto:ada@example.com')).toEqual({ type: 'address', href: 'mailto:ada@example.com', host: '' });
});

test('files of the project are places in it, with their line', () => {
  expect(linkTarget('src/a.ts')).toEqual({ type: 'file', path: 'src/a.ts', line: undefined });
  expect(linkTarget('./src/a.ts:12')).toEqual({ type: 'file', path: 'src/a.ts', line: 12 });
  expect(linkTarget('src/a.ts#L12-L20')).toEqual({ type: 'file', path: 'src/a.ts', line: 12 });
  expect(linkTarget('src/文件.md:3:7')).toEqual({ type: 'file', path: 'src/文件.md', line: 3 });
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript\u200b:alert(1)',
  'javascript&#58;alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml,<svg>',
  'blob:https://a/b',
  'file:///etc/passwd',
  'ftp://example.com',
  '//evil.example',
  '/\\evil.example',
  'https:evil.example',
  'https://exam ple.com',
  'https://a\u202eb.com',
  'mailto:javascript:alert(1)@x',
  'x:y',
  '#top',
  '?a=b',
  '..',
  '',
])('%j leads nowhere', (target) => {
  expect(linkTarget(target)).toBeUndefined();
});

test('code within a line names a file when it looks like a path or has a line', () => {
  expect(mentionedFile('src/a.ts:12')).toMatchObject({ path: 'src/a.ts', line: 12 });
  expect(mentionedFile('a.ts:3')).toMatchObject({ path: 'a.ts', line: 3 });
  expect(['a.b', 'foo.bar()', 'npm/x', 'and/or', 'https://a.com/b.ts', '1.5'].map(mentionedFile)).toEqual(
    Array.from({ length: 6 }, () => undefined),
  );
});
