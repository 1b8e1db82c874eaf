import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';

test('from a fresh start, without a key, the agent is asked about a folder and names the right file; the session is kept', async () => {
  const [home, project] = [join(tempFolder(), 'not-yet'), tempFolder()];
  mkdirSync(join(project, 'src/calls'), { recursive: true });
  writeFileSync(
    join(project, 'src/calls/try-again.ts'),
    '/** How often a call that failed is retried before it is given up. */\nexport const MAX_RETRIES = 3;\n',
  );
  writeFileSync(join(project, 'src/colours.ts'), "export const BUTTON_COLOUR = 'blue';\n");

  const answer = await runDragoman(['run', 'where are retries limited?'], { home, cwd: project });
  expect([answer.exitCode, answer.stderr]).toEqual([0, '']);
  expect(answer.stdout).toContain('Relevant files: src/calls/try-again.ts.');

  const { stdout } = await runDragoman(['sessions', 'list'], { home, cwd: project });
  expect(stdout).toMatch(/^id .*\nses_\w+ .* where are retries limited\?\n$/);
});
