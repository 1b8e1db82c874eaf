import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeTelegram, serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';

test('a bot that is configured listens before anybody asks the server for anything, also when it is configured later', async () => {
  const telegram = await fakeTelegram();
  onTestFinished(() => telegram.close());
  const home = tempFolder();
  const channels = { telegram: { token: telegram.token, apiUrl: telegram.url } };
  const write = (config: object) => writeFileSync(join(home, 'dragoman.json'), JSON.stringify(config));
  const listens = (after: number) =>
    telegram.until(() => telegram.calls.log.slice(after).some(({ method }) => method === 'getUpdates'), 60_000);

  write({ channels });
  const first = await serveDragoman([], { home });
  await listens(0);
  await first.stop();

  write({});
  const before = telegram.calls.count();
  const second = await serveDragoman([], { home });
  expect(telegram.calls.count()).toBe(before);
  write({ channels });
  await listens(before);
  await second.stop();
});
