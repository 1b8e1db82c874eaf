import { execFile, type ExecFileOptions } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hostileWorld } from './hostile-world.ts';
import { REPOSITORIES, type RepositoryName } from './trick.ts';
import { TRICKS } from './tricks.ts';

test('the table has more than forty tricks, each under a name of its own', () => {
  expect(TRICKS.length).toBeGreaterThan(40);
  expect(new Set(TRICKS.map(({ name }) => name)).size).toBe(TRICKS.length);
});

test.each(Object.keys(REPOSITORIES) as RepositoryName[])(
  'in %s every trick works on a person who runs its command in a shell',
  async (name) => {
    const { tricks, place, root, environment, secrets } = await hostileWorld(name);
    const harmless: string[] = [];

    for (const trick of tricks) {
      const line = trick.line?.(place(trick));
      if (line === undefined) continue;
      const { mark } = place(trick);
      rmSync(mark, { recursive: true, force: true });
      const { stdout, stderr } = await run(line, { cwd: root, env: environment, timeout: 20_000 });
      if (!existsSync(mark) && !secrets.some((secret) => stdout.includes(secret)))
        harmless.push(`${trick.name}: ${stderr}`);
    }

    expect(harmless).toEqual([]);
  },
);

function run(line: string, options: ExecFileOptions): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile('/bin/bash', ['-c', line], { ...options, encoding: 'utf8' }, (_, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
  });
}
