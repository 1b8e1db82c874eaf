import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testRepository } from '../git/repository.fixture.ts';
import { FileFinder } from './find-files.ts';

test('in a repository what it ignores is not found, nor what is gone or leads out, and paths are from the folder', async () => {
  const { root, environment, write } = testRepository({
    '.gitignore': 'dist/\n',
    'packages/web/client.ts': '',
    'packages/web/gone-client.ts': '',
    'packages/hub/client.ts': '',
  });
  write({ 'packages/web/new client.ts': '', 'packages/web/dist/client.js': '', 'packages/web/.env.client': '' });
  rmSync(join(root, 'packages/web/gone-client.ts'));
  symlinkSync('/etc/passwd', join(root, 'packages/web/client-link'));
  const inner = join(root, 'packages/web/client-inner');
  mkdirSync(inner);
  execFileSync('git', ['init', '--quiet'], { cwd: inner });
  const finder = new FileFinder();
  const find = async (folder: string, typed: string) =>
    (await finder.find({ folder: join(root, folder), environment }, typed, 20)).files.map(({ path }) => path);

  expect(await find('packages/web', 'client')).toEqual(['client.ts', '.env.client', 'new client.ts']);
  expect(await find('', 'webcli')).toEqual([
    'packages/web/client.ts',
    'packages/web/new client.ts',
    'packages/web/.env.client',
  ]);
  write({ 'packages/web/client-2.ts': '' });
  expect(await find('packages/web', 'client-2')).toEqual([]);
  finder.close();
  expect(await find('packages/web', 'client-2')).toEqual(['client-2.ts']);
  finder.close();
});
