import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { AllowedFolders } from './allowed-folders.ts';

function layout() {
  const base = realpathSync(tempFolder());
  const at = (...names: string[]) => join(base, ...names);
  for (const folder of ['code/app/.git', 'code/app/src', 'code/.hidden', 'code/lib', 'other', 'code-old'])
    mkdirSync(at(folder), { recursive: true });
  writeFileSync(at('code', 'file.txt'), '');
  symlinkSync(at('other'), at('code', 'out'));
  symlinkSync(at('code', 'lib'), at('code', 'again'));
  return { at, folders: new AllowedFolders(() => [at('code')]) };
}

test('folders are listed for choosing: no files, no hidden ones, no links that lead out', async () => {
  const { at, folders } = layout();

  expect(await folders.list()).toEqual({
    path: at('code'),
    isRepository: false,
    folders: [
      { name: 'again', path: at('code', 'again'), isRepository: false },
      { name: 'app', path: at('code', 'app'), isRepository: true },
      { name: 'lib', path: at('code', 'lib'), isRepository: false },
    ],
  });
  expect(await folders.list(at('code', 'app'))).toEqual({
    path: at('code', 'app'),
    parent: at('code'),
    isRepository: true,
    folders: [{ name: 'src', path: at('code', 'app', 'src'), isRepository: false }],
  });
});

test('what lies outside is refused, by whatever way it is named, and is not told to be there', async () => {
  const { at, folders } = layout();
  const outside = [
    at('other'),
    at('code', 'out'),
    at('code', '..', 'other'),
    at('code-old'),
    at('nowhere'),
    '/etc',
    '/',
  ];

  for (const path of outside)
    await expect(folders.resolve(path)).rejects.toMatchObject({
      code: 'forbidden',
      message: `agents on this machine are not allowed in ${path}; they may work in ${at('code')}`,
    });
});

test('what is wrong with a folder is said in words', async () => {
  const { at, folders } = layout();

  await expect(folders.resolve(at('code', 'nowhere'))).rejects.toThrow(
    `the folder ${at('code', 'nowhere')} does not exist`,
  );
  await expect(folders.resolve(at('code', 'file.txt'))).rejects.toThrow('is not a folder');
  await expect(folders.resolve('code')).rejects.toThrow('"code" is not a full path; start it with "/" or "~"');
  await expect(new AllowedFolders(() => [at('gone')]).list()).rejects.toThrow(
    `none of the folders of this runner exist: ${at('gone')}`,
  );
});

test('"~" is the home folder, several roots are a list to begin with, and without any everything is allowed', async () => {
  const { at } = layout();

  expect(await new AllowedFolders(() => ['~']).resolve('~')).toBe(realpathSync(homedir()));
  expect(new AllowedFolders(() => ['~/code']).roots).toEqual([join(homedir(), 'code')]);
  expect(await new AllowedFolders(() => [at('code'), at('other')]).list()).toEqual({
    path: '',
    isRepository: false,
    folders: [
      { name: 'code', path: at('code'), isRepository: false },
      { name: 'other', path: at('other'), isRepository: false },
    ],
  });
  expect(await new AllowedFolders(() => []).resolve(at('code', 'out'))).toBe(at('other'));
});
