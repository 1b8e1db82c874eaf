import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { chooseWorkplaceFolder } from './choose-workplace-folder.ts';

/** A folder that agents may work in, with one inside, and one that they may not. */
function places() {
  const allowed = realpathSync(tempFolder());
  const other = realpathSync(tempFolder());
  mkdirSync(join(allowed, 'inside'));
  writeFileSync(join(allowed, 'file'), '');
  symlinkSync(other, join(allowed, 'out'));
  return { allowed, other };
}

test('the folder that is named is taken where agents may work, and told by its place where they may not', async () => {
  const { allowed, other } = places();
  const chosen = (folder: string) => chooseWorkplaceFolder(folder, () => [allowed]);

  expect(await chosen(join(allowed, 'inside'))).toBe(join(allowed, 'inside'));
  for (const folder of [other, join(allowed, 'out')])
    await expect(chosen(folder)).rejects.toMatchObject({
      code: 'bad-request',
      message: `folder: agents on this machine are not allowed in ${folder}; they may work in ${allowed}.`,
    });
  await expect(chosen(join(allowed, 'gone'))).rejects.toMatchObject({
    code: 'bad-request',
    message: `folder: the folder ${allowed}/gone does not exist.`,
  });
  await expect(chosen(join(allowed, 'file'))).rejects.toMatchObject({ code: 'bad-request' });
  await expect(chosen('inside')).rejects.toThrow('folder: "inside" is not a full path; start it with "/" or "~".');
});

test('where none is named it is the one the server was started in, else the first where agents may work, else home', async () => {
  const { allowed, other } = places();
  const chosen = (roots: string[], startedIn: string) => chooseWorkplaceFolder(undefined, () => roots, startedIn);

  expect(await chosen([], other)).toBe(other);
  expect(await chosen([other, allowed], join(allowed, 'inside'))).toBe(join(allowed, 'inside'));
  expect(await chosen([allowed], other)).toBe(allowed);
  expect(await chosen([], '/')).toBe(realpathSync(homedir()));
});
