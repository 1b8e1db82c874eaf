import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { HUB_CALLS } from '@dragoman/protocol/schemas';
import { expect, test } from 'vitest';
import { readDiff } from './read-diff.ts';
import { testRepository } from './repository.fixture.ts';

const body = (unified: string) => unified.slice(unified.indexOf('\n--- ') + 1);

test('what is staged and what is not are two diffs', async () => {
  const { git, write, open } = testRepository({ 'src/a.ts': 'one\ntwo\n' });
  write({ 'src/a.ts': 'one\n2\n' });
  git('add', '.');
  write({ 'src/a.ts': 'one\n2\nthree\n' });

  const staged = await readDiff(await open(), 'src/a.ts', true);
  expect(HUB_CALLS.readDiff.answer.strict().parse(staged)).toEqual(staged);
  expect(body(staged.unified)).toBe('--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n');
  expect(body((await readDiff(await open('src'), 'a.ts', false)).unified)).toBe(
    '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,3 @@\n one\n 2\n+three\n',
  );
  expect(await readDiff(await open(), './src//a.ts', true)).toEqual(staged);
});

test('a new file is compared with nothing, as git would do it after adding it', async () => {
  const { root, git, write, open } = testRepository({ 'a.ts': '' });
  const files = {
    'new.ts': 'one\ntwo\n',
    'open.ts': 'one',
    'empty.ts': '',
    'data.bin': Buffer.from([7, 0, 7]),
    'a "b"\n.ts': 'x\n',
  };
  write(files);
  symlinkSync('/etc/passwd', join(root, 'link'));
  const names = [...Object.keys(files), 'link'];
  const before = [];
  for (const name of names) before.push((await readDiff(await open(), name, false)).unified);
  git('add', '.');
  const after = [];
  for (const name of names) after.push((await readDiff(await open(), name, true)).unified);

  expect(before).toEqual(after.map((unified) => unified.replace(/^index .*\n/m, '')));
  expect(before[0]).toBe(
    'diff --git a/new.ts b/new.ts\nnew file mode 100644\n--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1,2 @@\n+one\n+two\n',
  );
});

test('a renamed file is compared with its old self, a deleted one with nothing, and a conflict with the last commit', async () => {
  const { root, git, write, open } = testRepository({ 'old.ts': 'a\nb\nc\nd\n', 'gone.ts': 'x\n', 'c.ts': 'one\n' });
  git('checkout', '--quiet', '-b', 'other');
  write({ 'c.ts': 'theirs\n' });
  git('commit', '--quiet', '-am', 'theirs');
  git('checkout', '--quiet', 'main');
  write({ 'c.ts': 'ours\n' });
  git('commit', '--quiet', '-am', 'ours');
  expect(() => git('merge', 'other')).toThrow('merge other');
  git('mv', 'old.ts', 'new.ts');
  rmSync(join(root, 'gone.ts'));

  expect((await readDiff(await open(), 'new.ts', true)).unified).toBe(
    'diff --git a/old.ts b/new.ts\nsimilarity index 100%\nrename from old.ts\nrename to new.ts\n',
  );
  expect(body((await readDiff(await open(), 'gone.ts', false)).unified)).toBe(
    '--- a/gone.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
  );
  expect(body((await readDiff(await open(), 'c.ts', false)).unified)).toBe(
    '--- a/c.ts\n+++ b/c.ts\n@@ -1 +1,5 @@\n+<<<<<<< HEAD\n ours\n+=======\n+theirs\n+>>>>>>> other\n',
  );
});

test('a long diff is cut at the end of a line, and a file that has not changed has none', async () => {
  const { write, open } = testRepository({ 'long.ts': 'x\n', 'same.ts': 'x\n' });
  write({ 'long.ts': `${'a line of text\n'.repeat(100_000)}`, 'new.ts': `${'a line of text\n'.repeat(100_000)}` });

  for (const name of ['long.ts', 'new.ts']) {
    const { unified, isCut } = await readDiff(await open(), name, false);
    expect(isCut).toBe(true);
    expect(unified.length).toBeLessThan(1024 * 1024 + 200_000);
  }
  expect((await readDiff(await open(), 'long.ts', false)).unified.endsWith('+a line of text\n')).toBe(true);
  expect(await readDiff(await open(), 'same.ts', false)).toEqual({ path: 'same.ts', unified: '', isCut: false });
});

test('secrets are not shown by way of a diff: not by name, not below a folder, not under a new name', async () => {
  const { git, write, open, root } = testRepository({ '.env': 'KEY=1\n', conf: 'x\n', 'src/.env': 'KEY=1\n' });
  write({ '.env': 'KEY=2\n', 'src/.env': 'KEY=2\n' });
  await expect(readDiff(await open(), '.env', false)).rejects.toMatchObject({
    code: 'forbidden',
    message: '.env may contain secrets, so it is not shown; open it on the machine itself',
  });
  for (const folder of ['.', 'src', '']) expect((await readDiff(await open(), folder, false)).unified).toBe('');

  git('checkout', '--quiet', '.');
  git('mv', '.env', 'plain.txt');
  await expect(readDiff(await open(), 'plain.txt', true)).rejects.toMatchObject({ code: 'forbidden' });
  rmSync(join(root, 'conf'));
  write({ 'conf/.env': 'KEY=1\n' });
  git('add', '--all');
  await expect(readDiff(await open(), 'conf', true)).rejects.toThrow('conf was a file and is a folder now');
});
