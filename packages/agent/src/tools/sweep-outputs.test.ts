import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { sweepOutputs } from './sweep-outputs.ts';

test('outputs of more than a week ago are deleted, later ones stay', () => {
  const folder = tempFolder();
  for (const name of ['old', 'new']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'call.txt'), 'x');
  }
  utimesSync(join(folder, 'old'), 0, Date.now() / 1000 - 8 * 86_400);

  sweepOutputs(folder, Date.now());

  expect(readdirSync(folder)).toEqual(['new']);
  sweepOutputs(join(folder, 'none'), Date.now());
});

test('when there is too much of them the oldest go first', () => {
  const folder = tempFolder();
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'call.txt'), 'x'.repeat(100));
    utimesSync(join(folder, name), 0, 1_000 + index);
  }

  sweepOutputs(folder, 1_010_000, 250);

  expect(readdirSync(folder)).toEqual(['b', 'c']);
});
