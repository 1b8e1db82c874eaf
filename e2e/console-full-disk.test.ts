import { join } from 'node:path';
import { fillDisk, mountSmallDisk, serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { openConsole } from './console.fixture.ts';

test('every page says that the disk of the server is full before anything is written, for as long as it is (needs the right to mount)', async ({
  skip,
}) => {
  const disk = tempFolder();
  if (!mountSmallDisk(disk, 24)) skip('small disks cannot be made here');
  const server = await serveDragoman([], { home: join(disk, 'home') });
  onTestFinished(() => server.stop().then(() => {}));
  const page = await openConsole(server, { path: '/sessions' });
  const line = page.getByText('The disk of the server is full. Nothing can be saved until there is room.');
  await page.getByRole('main').waitFor();
  expect(await line.count()).toBe(0);

  const makeRoom = fillDisk(disk, 100);
  await line.waitFor();
  makeRoom();
  await page.reload();
  await page.getByRole('main').waitFor();
  await line.waitFor({ state: 'hidden' });
});
