import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SqliteChannels } from './sqlite-channels.ts';

test('where the system does not tell of writes it is looked seldom while nothing is told, and often while something is', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const file = join(tempFolder(), 'store.sqlite');
  const open = () => {
    const channels = new SqliteChannels(
      file,
      () => {},
      () => {
        throw Object.assign(new Error('too many watches'), { code: 'ENOSPC' });
      },
    );
    onTestFinished(() => channels.close());
    return channels;
  };
  const [here, there] = [open(), open()];
  const heard: unknown[] = [];
  await here.open('news', (payload) => heard.push(payload));
  const news = await there.open('news', () => {});
  /** At how many moments within ten seconds one of them looks. */
  const countLooks = () => {
    const until = Date.now() + 10_000;
    let looks = 0;
    while (vi.advanceTimersToNextTimer() && Date.now() <= until) looks++;
    return looks;
  };
  vi.advanceTimersByTime(11_000);

  expect(countLooks()).toBe(10);
  await news.notify('it is out');
  vi.advanceTimersByTime(1_000);
  expect(heard).toEqual(['it is out']);
  expect(countLooks()).toBeGreaterThan(75);
});
