import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { oneWindowAtATime } from './one-window-at-a-time.ts';

test('what several windows do is done by one after the other, also after one that failed, and nothing is left behind', async () => {
  const folder = tempFolder();
  const seen: string[] = [];
  const each = async (name: string) => {
    await oneWindowAtATime(folder, async () => {
      seen.push(`${name} begins`);
      await new Promise(setImmediate);
      seen.push(`${name} ends`);
      if (name === 'b') throw new Error('no');
    }).catch(() => {});
  };
  await Promise.all(['a', 'b', 'c'].map(each));
  const order = seen.filter((_line, index) => index % 2 === 0).map((line) => line.split(' ')[0]);
  expect(seen).toEqual(order.flatMap((name) => [`${name} begins`, `${name} ends`]));
  expect([new Set(order), readdirSync(folder)]).toEqual([new Set(['a', 'b', 'c']), []]);
});

test('a window that is gone holds up nobody', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'augment-connection.lock'), '999999999');
  expect(await oneWindowAtATime(folder, async () => 'done')).toBe('done');
});
