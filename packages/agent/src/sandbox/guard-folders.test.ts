import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asOrdinaryUser, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { guardFolders } from './guard-folders.ts';

const NOBODY = 65_534;

/** A project of a user to whom things can be forbidden. */
function ownProject(...folders: string[]): string {
  const project = tempFolder();
  for (const folder of ['.', ...folders]) make(project, folder);
  return project;
}

function make(project: string, folder: string): void {
  mkdirSync(join(project, folder), { recursive: true });
  for (let at = join(project, folder); at !== dirname(project); at = dirname(at)) chownSync(at, NOBODY, NOBODY);
}

const guarded = (project: string) => asOrdinaryUser(() => guardFolders({ folders: [project], covered: [] }));

test('a folder that cannot be looked into is read-only as a whole', async () => {
  const project = ownProject('a/.vscode');
  chmodSync(join(project, 'a'), 0o311);

  const { mounts, settle } = await guarded(project);
  await asOrdinaryUser(settle);

  expect(mounts).toContainEqual({ path: join(project, 'a'), is: 'read-only' });
});

test('a project that cannot be looked into is refused, and so is one with a protected folder of that kind', async () => {
  const [closed, inside] = [ownProject(), ownProject('.claude')];
  chmodSync(closed, 0o311);
  chmodSync(join(inside, '.claude'), 0o311);

  await expect(guarded(closed)).rejects.toThrow(
    `${closed} cannot be looked into, so the sandbox cannot tell what to protect in it. Make it readable: chmod u+rwx ${closed}`,
  );
  await expect(guarded(inside)).rejects.toThrow(`${inside}/.claude cannot be looked into`);
});

test.each<[what: string, made: string, closed: string, mode: number]>([
  ['the project', 'a/.vscode', '.', 0o311],
  ['the project, wholly', 'a/.vscode', '.', 0],
  ['a folder', 'a/.vscode', 'a', 0o311],
  ['a folder that may be listed and not entered', 'a/b/.vscode', 'a', 0o600],
  ['a folder that may not be changed', 'a/.vscode', 'a', 0o555],
  ['folders in each other', 'a/b/c/.vscode', 'a', 0],
])('what a command hides by taking away the rights is found and renamed: %s', async (_, made, closed, mode) => {
  const project = ownProject();
  const { settle } = await guarded(project);

  make(project, made);
  chmodSync(join(project, dirname(made)), 0o100);
  chmodSync(join(project, closed), mode);

  const path = join(project, made);
  expect(await asOrdinaryUser(settle)).toEqual([{ path, renamedTo: `${path}.held-back` }]);
});

test('rights are not given to what a link leads to', async () => {
  const [project, other] = [ownProject('a'), ownProject()];
  writeFileSync(join(other, 'mine'), 'mine');
  chmodSync(other, 0o300);
  const { settle } = await guarded(project);

  symlinkSync(other, join(project, 'b'));

  expect(await asOrdinaryUser(settle)).toEqual([]);
  expect(readFileSync(join(other, 'mine'), 'utf8')).toBe('mine');
  await expect(guarded(other)).rejects.toThrow('cannot be looked into');
  expect(existsSync(join(project, 'b'))).toBe(true);
});
