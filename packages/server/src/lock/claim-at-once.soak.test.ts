import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSoak, rounds, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { startHolder } from './lock-holder.fixture.ts';

test('of processes that claim one data folder at once, exactly one gets it, whatever the last one left behind', async () => {
  const home = tempFolder();
  const lockFile = join(home, 'server.lock');
  for (let round = 0; round < rounds(50); round++) {
    // From the second round on there is the lock of a process that was killed; now and then there is rubbish.
    if (round % 5 === 4) writeFileSync(lockFile, 'rubbish');
    const holders = Array.from({ length: isSoak() ? 10 : 5 }, () => startHolder(home));
    const words = await Promise.all(holders.map(({ says }) => says()));

    const winner = words.findIndex((said) => said?.word === 'held');
    const url = words[winner]?.url;
    expect(words).toEqual(words.map((_, at) => ({ word: at === winner ? 'held' : 'elsewhere', url })));
    expect(JSON.parse(readFileSync(lockFile, 'utf8'))).toMatchObject({ pid: holders[winner]!.process.pid, url });
    await Promise.all(holders.map(({ end }) => end('SIGKILL')));
  }
});
