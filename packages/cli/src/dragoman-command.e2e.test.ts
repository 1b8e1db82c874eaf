import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { VERSION } from './version.ts';

const PROGRAM = fileURLToPath(new URL('../bin/dragoman.js', import.meta.url));
const run = promisify(execFile);

test('a link to the command of a checkout works in any folder and runs the sources, whatever Node finds it', async () => {
  const bin = join(tempFolder(), 'bin');
  mkdirSync(bin);
  symlinkSync(PROGRAM, join(bin, 'dragoman'));
  const cwd = tempFolder();
  const env = { PATH: process.env['PATH'], DRAGOMAN_HOME: tempFolder() };

  expect((await run(process.execPath, [join(bin, 'dragoman'), '--version'], { cwd, env })).stdout).toBe(`${VERSION}\n`);
  await expect(run(process.execPath, [join(bin, 'dragoman'), 'nonsense'], { cwd, env })).rejects.toMatchObject({
    code: 2,
    stderr: "dragoman: unknown command 'nonsense'\n",
  });
});
