import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freshLocation, runDragoman, serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';

test('a copy made while the server runs lets the same token in elsewhere, also on PostgreSQL', async () => {
  const home = tempFolder();
  await serveDragoman([], { home });
  const token = (await runDragoman(['token', 'create', 'laptop'], { home })).stdout.trim();
  const file = join(tempFolder(), 'copy.sqlite');

  const { stdout } = await runDragoman(['backup', file, '--json'], { home });
  expect(JSON.parse(stdout)).toEqual({ file, bytes: expect.any(Number) });

  const { databaseUrl } = await freshLocation('postgres');
  const env = { DRAGOMAN_DATABASE_URL: databaseUrl! };
  expect((await runDragoman(['backup', file, '--restore'], { env })).stdout).toContain(`restored from ${file}.`);
  const { url } = await serveDragoman([], { env });
  expect((await fetch(`${url}/api/me`, { headers: { 'api-key': token } })).status).toBe(200);
});

test('a copy is not made over a file, nor from nothing', async () => {
  const home = tempFolder();
  const file = join(home, 'copy.sqlite');

  const { exitCode, stderr } = await runDragoman(['backup', file], { home });

  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    `dragoman: The database ${join(home, 'dragoman.sqlite')} does not exist yet; there is nothing to copy.\n`,
  );
  expect(existsSync(file)).toBe(false);
});
