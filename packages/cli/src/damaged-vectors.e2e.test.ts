import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunOptions, runDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { codeBase } from './code-base.fixture.ts';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
const GOOD = join(CHECKOUT, 'packages/context/vectors.bin');

/** The program with a file of vectors of its own, so that it can be damaged. */
function ownProgram(): { program: string; vectors: string } {
  const root = realpathSync(tempFolder());
  const link = (name: string) => symlinkSync(join(CHECKOUT, name), join(root, name));
  for (const name of ['cli', 'context'])
    cpSync(join(CHECKOUT, 'packages', name), join(root, 'packages', name), {
      recursive: true,
      filter: (path) => !/\/(?:dist|console|node_modules)$|\.test\.ts$/.test(path) || path.endsWith('src/console'),
    });
  mkdirSync(join(root, 'node_modules/@dragoman'), { recursive: true });
  for (const name of readdirSync(join(CHECKOUT, 'node_modules')))
    if (name !== '@dragoman') link(`node_modules/${name}`);
  for (const name of readdirSync(join(CHECKOUT, 'node_modules/@dragoman')))
    if (name === 'context') symlinkSync(join(root, 'packages/context'), join(root, 'node_modules/@dragoman/context'));
    else link(`node_modules/@dragoman/${name}`);
  return {
    program: join(root, 'packages/cli/bin/dragoman.js'),
    vectors: join(root, 'packages/context/vectors.bin'),
  };
}

test('vectors that are damaged or missing are told by every command that needs them, and the index outlives them', async () => {
  const { program, vectors } = ownProgram();
  const options: RunOptions = { program, home: tempFolder(), cwd: codeBase() };
  const run = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await runDragoman(args, options);
    return { exitCode, stdout, stderr };
  };
  const segments = () => readdirSync(join(options.home!, 'index')).toSorted();
  const says = (reason: string) =>
    `The word vectors that come with Dragoman cannot be used. Install Dragoman again: ${vectors}: ${reason}`;
  expect(await run('index')).toMatchObject({ exitCode: 0 });
  const before = segments();

  writeFileSync(vectors, 'damaged');
  const damaged = { exitCode: 1, stdout: '', stderr: `dragoman: ${says('this is not a file of word vectors')}\n` };
  expect(await run('search', 'how often is a call retried?')).toEqual(damaged);
  expect(await run('index')).toEqual(damaged);
  const { exitCode, stdout } = await run('doctor', '--json');
  expect(exitCode).toBe(1);
  expect((JSON.parse(stdout) as { findings: object[] }).findings).toContainEqual({
    subject: 'word vectors',
    isWell: false,
    says: says('this is not a file of word vectors'),
  });

  rmSync(vectors);
  expect(await run('index')).toEqual({ exitCode: 1, stdout: '', stderr: `dragoman: ${says('it is not there')}\n` });

  copyFileSync(GOOD, vectors);
  expect(segments()).toEqual(before);
  expect(await run('search', 'how often is a call retried?')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(segments()).toEqual(before);
});
