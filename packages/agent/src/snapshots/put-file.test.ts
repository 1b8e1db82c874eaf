import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { putFile, removeFile } from './put-file.ts';

const TRIES = 100;

test.each<[what: string, act: (root: string) => Promise<void>]>([
  ['written', (root) => putFile(root, 'src/new.txt', 'file', Buffer.from('new'))],
  ['deleted', (root) => removeFile(root, 'src/old.txt')],
])('nothing outside is %s by way of a folder that becomes a link meanwhile', async (_, act) => {
  const [base, outside] = [tempFolder(), tempFolder()];
  writeFileSync(join(outside, 'old.txt'), 'old');

  for (let tries = 0; tries < TRIES; tries++) {
    const root = join(base, String(tries));
    mkdirSync(join(root, 'src'), { recursive: true });
    writeFileSync(join(root, 'src/old.txt'), 'old');
    symlinkSync(outside, join(root, 'link'));

    const acting = act(root).catch(() => {}); // Whether it came too late is a matter of moments.
    await rename(join(root, 'src'), join(root, 'away'));
    await rename(join(root, 'link'), join(root, 'src')).catch(() => {}); // Unless the folder was made anew.
    await acting;
  }

  expect(readdirSync(outside)).toEqual(['old.txt']);
});
