import { statSync } from 'node:fs';
import { join } from 'node:path';
import { runDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';

test('a secret is read from a pipe, listed by name, never printed, and can be removed', async () => {
  const home = tempFolder();

  const kept = await runDragoman(['secret', 'set', 'openai'], { home, input: 'sk-live-1234\n' });
  expect(kept.stdout).toBe('Saved. Refer to it in dragoman.json as "{secret:openai}".\n');
  expect(statSync(join(home, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect((await runDragoman(['secret', 'list'], { home })).stdout).toBe('openai\n');
  expect((await runDragoman(['secret', 'remove', 'openai'], { home })).stdout).toBe('Removed.\n');
  expect((await runDragoman(['secret', 'list', '--json'], { home })).stdout).toBe('[]\n');
});

test('an empty secret and one that is not there are refused', async () => {
  const home = tempFolder();

  expect(await runDragoman(['secret', 'set', 'openai'], { home, input: '\n' })).toMatchObject({
    exitCode: 2,
    stderr: 'dragoman: The value is empty. Nothing was saved.\n',
  });
  expect(await runDragoman(['secret', 'remove', 'openai'], { home })).toMatchObject({
    exitCode: 1,
    stderr: 'dragoman: There is no secret named "openai".\n',
  });
});
