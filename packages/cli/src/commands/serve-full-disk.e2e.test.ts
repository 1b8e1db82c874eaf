import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillDisk, mountSmallDisk, runDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../bin/dragoman.js', import.meta.url));
const SERVE = ['serve', '--port', '0'];

/** Room for nothing, for the lock, for the schema, for the first tables, for most of them. */
test.for([0, 4, 40, 200, 600])(
  'a start on a disk with %i KB left says that it is full, to people and to programs (needs the right to mount)',
  async (left, { skip }) => {
    const disk = tempFolder();
    if (!mountSmallDisk(disk, 4)) skip('small disks cannot be made here');
    const home = join(disk, 'home');
    fillDisk(disk, left);
    const sentence = `The disk of the data folder ${home} is full. Free up some space, or set DRAGOMAN_HOME to another folder.`;

    expect(await runDragoman(SERVE, { home })).toEqual({ exitCode: 4, stdout: '', stderr: `dragoman: ${sentence}\n` });
    expect(await runDragoman([...SERVE, '--json'], { home })).toEqual({
      exitCode: 4,
      stdout: `${JSON.stringify({ error: sentence })}\n`,
      stderr: `dragoman: ${sentence}\n`,
    });
  },
);

test('a program that asked for JSON is told by it why no server came up', async () => {
  const { exitCode, stdout, stderr } = await runDragoman([...SERVE, '--json', '--exit-when-idle', 'never']);

  expect(exitCode).toBe(2);
  expect(stderr).toBe(`dragoman: ${(JSON.parse(stdout) as { error: string }).error}\n`);
});

test.runIf(process.platform === 'linux')(
  'a server whose first line finds no room says so and ends (needs Linux)',
  async () => {
    const child = spawn(process.execPath, ['--conditions=@dragoman/source', PROGRAM, ...SERVE, '--json'], {
      env: { ...process.env, DRAGOMAN_HOME: tempFolder() },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    const [said, [exitCode]] = await Promise.all([child.stderr!.toArray(), once(child, 'close')]);

    expect(`${exitCode} ${Buffer.concat(said as Buffer[]).toString()}`).toBe(
      '1 dragoman: The output could not be written (ENOSPC: no space left on device, write).\n',
    );
  },
);
