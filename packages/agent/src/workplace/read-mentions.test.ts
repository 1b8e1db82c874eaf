import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { readMentions } from './read-mentions.ts';

function world() {
  const base = tempFolder();
  const root = join(base, 'app');
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(base, 'diary.md'), 'secret');
  writeFileSync(join(root, 'src/a.ts'), 'code');
  writeFileSync(join(root, '.env'), 'KEY=1');
  const files = (text: string) =>
    readMentions(text, { cwd: root, root, agents: [] }).files.map(({ filename, url }) => [
      filename,
      Buffer.from(url.split(',')[1]!, 'base64').toString(),
    ]);
  return { root, files };
}

test('a file that a prompt names is told with it', () => {
  expect(world().files('See @src/a.ts and @none.ts.')).toEqual([['src/a.ts', 'code']]);
});

test('a name that leads out of the project or to a secret is only text', () => {
  const { root, files } = world();
  symlinkSync('../diary.md', join(root, 'README.md'));
  symlinkSync('.env', join(root, 'notes.md'));

  expect(files('Sum up @README.md, @notes.md, @.env and @../diary.md')).toEqual([]);
});

test.skipIf(process.platform === 'win32')('a pipe does not keep the prompt waiting', () => {
  const { root, files } = world();
  execFileSync('mkfifo', [join(root, 'pipe')]);

  expect(files('Read @pipe')).toEqual([]);
});
