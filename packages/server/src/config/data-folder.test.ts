import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { dataFolder, openDataFolder } from './data-folder.ts';

test('the data folder is DRAGOMAN_HOME, else the one the platform keeps for programs', () => {
  expect(dataFolder({ DRAGOMAN_HOME: '/srv/d' }).databaseFile).toBe('/srv/d/dragoman.sqlite');
  expect(dataFolder({ XDG_DATA_HOME: '/x' }, 'linux').path).toBe('/x/dragoman');
  expect(dataFolder({}, 'linux').path).toBe(join(homedir(), '.local/share/dragoman'));
  expect(dataFolder({}, 'darwin').path).toBe(join(homedir(), 'Library/Application Support/dragoman'));
});

test('it is made for its owner alone', () => {
  const folder = dataFolder({ DRAGOMAN_HOME: join(tempFolder(), 'a', 'b') });

  openDataFolder(folder);

  expect(statSync(folder.path).mode & 0o777).toBe(0o700);
});

test('one that others could enter is its owner’s alone from then on, but not one that is meant for many', () => {
  const [loose, shared] = [tempFolder(), tempFolder()];
  chmodSync(loose, 0o775);
  chmodSync(shared, 0o1777);

  for (const path of [loose, shared]) openDataFolder(dataFolder({ DRAGOMAN_HOME: path }));

  expect(statSync(loose).mode & 0o7777).toBe(0o700);
  expect(statSync(shared).mode & 0o7777).toBe(0o1777);
});

test('a path that is no folder is refused with what to do', () => {
  const path = join(tempFolder(), 'file');
  writeFileSync(path, '');

  expect(() => openDataFolder(dataFolder({ DRAGOMAN_HOME: path }))).toThrow(
    `The data folder ${path} cannot be used (EEXIST). Make it writable, or set DRAGOMAN_HOME to another folder.`,
  );
});
