import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { project } from './project.fixture.ts';

const patch = (...lines: string[]) => ({ patchText: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

function previewed(files: Record<string, string> = {}) {
  const place = project(files);
  const preview = async (id: string, input: Record<string, unknown>) =>
    (await place.tools.find((tool) => tool.id === id)!.preview!(input, place.context()))?.diff;
  return { ...place, preview };
}

test('an edit is shown as the diff it would make, and nothing is changed', async () => {
  const { preview, content, call } = previewed({ 'a.txt': 'one\ntwo\n' });
  const input = { filePath: 'a.txt', oldString: 'two', newString: '2' };

  const diff = await preview('edit', input);

  expect(diff).toBe('--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n');
  expect(content('a.txt')).toBe('one\ntwo\n');
  expect((await call('edit', input)).metadata).toMatchObject({ diff });
});

test('a new file and one that is written over are shown; one that stays as it is is not', async () => {
  const { preview, call, path } = previewed({ 'a.txt': 'one\n' });

  expect(await preview('write', { filePath: 'new/b.txt', content: 'b\n' })).toBe(
    '--- /dev/null\n+++ new/b.txt\n@@ -0,0 +1,1 @@\n+b\n',
  );
  expect(existsSync(path('new'))).toBe(false);
  expect(await preview('write', { filePath: 'a.txt', content: 'two\n' })).toBe(''); // It was not read.
  await call('read', { filePath: 'a.txt' });
  expect(await preview('write', { filePath: 'a.txt', content: 'two\n' })).toBe(
    '--- a.txt\n+++ a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n',
  );
  expect(await preview('write', { filePath: 'a.txt', content: 'one\n' })).toBe('');
});

test('of a patch what is deleted and moved comes first, also where no line changes', async () => {
  const { preview, content } = previewed({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'empty.txt': '', 'README.md': 'read me\n' });

  const diff = await preview(
    'apply-patch',
    patch(
      '*** Update File: a.txt',
      '-a',
      '+A',
      '*** Update File: b.txt',
      '*** Move to: c.txt',
      '*** Delete File: empty.txt',
      '*** Delete File: README.md',
    ),
  );

  expect(diff).toBe(
    [
      '--- b.txt\n+++ c.txt\n',
      '--- empty.txt\n+++ /dev/null\n',
      '--- README.md\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-read me\n',
      '--- a.txt\n+++ a.txt\n@@ -1,1 +1,1 @@\n-a\n+A\n',
    ].join(''),
  );
  expect(content('README.md')).toBe('read me\n');
});

test('what cannot be changed has no preview', async () => {
  const { preview } = previewed({ 'a.txt': 'one\n' });

  expect(await preview('edit', { filePath: 'a.txt', oldString: 'three', newString: '3' })).toBe('');
  expect(await preview('edit', { filePath: 'none.txt', oldString: 'a', newString: 'b' })).toBe('');
  expect(await preview('apply-patch', patch('*** Delete File: none.txt'))).toBe('');
  expect(await preview('apply-patch', { patchText: 'nonsense' })).toBe('');
});

test('a change is shown to its last line, however much stands before that', async () => {
  const { preview } = previewed({ 'z.txt': 'z\n' });
  const lines = Array.from({ length: 1000 }, (_, line) => `+line ${line}`);

  const diff = (await preview(
    'apply-patch',
    patch('*** Add File: a.txt', ...lines, '*** Add File: b.txt', '+b', '*** Delete File: z.txt'),
  ))!;

  expect(diff).toContain(`\n+++ a.txt\n@@ -0,0 +1,1000 @@\n${lines.join('\n')}\n`);
  expect(diff).toMatch(/\n--- \/dev\/null\n\+\+\+ b\.txt\n@@ -0,0 \+1,1 @@\n\+b\n$/);
});
