import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempFolder } from './temp-folder.ts';

const MODULE = fileURLToPath(new URL('own-temp-folder.ts', import.meta.url));
const RUN = `
  import { useOwnTempFolder } from ${JSON.stringify(MODULE)};
  useOwnTempFolder();
  console.log(process.env.TMPDIR);
`;
/** It has said where its folder is when it is ready for a signal. */
const WAIT = `process.on('SIGINT', () => process.exit(130)); setInterval(() => {}, 60_000); ${RUN}`;

/** A run whose temporary folder lies in the given one, when it has it. */
async function startRun(base: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', WAIT], {
    env: { ...process.env, TMPDIR: base },
  });
  const [folder] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await once(child, 'close');
  };
  return { folder, end };
}

test('a run has a folder of its own, which goes with it, also after Ctrl-C', async () => {
  const base = tempFolder();
  const { folder, end } = await startRun(base);
  expect(readdirSync(base).map((name) => join(base, name))).toEqual([folder]);

  await end('SIGINT');

  expect(readdirSync(base)).toEqual([]);
});

test('what a killed run left is removed by the next one, and what a running one has is not', async () => {
  const base = tempFolder();
  const [killed, running] = [await startRun(base), await startRun(base)];
  await killed.end('SIGKILL');
  expect(readdirSync(base)).toHaveLength(2);

  const next = await startRun(base);

  expect(
    readdirSync(base)
      .map((name) => join(base, name))
      .toSorted(),
  ).toEqual([running.folder, next.folder].toSorted());
  await Promise.all([running.end('SIGINT'), next.end('SIGINT')]);
});

test('an empty TMPDIR is none, and one that is not there is named', () => {
  const run = (TMPDIR: string) =>
    execFileSync(process.execPath, ['--input-type=module', '--eval', RUN], {
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, TMPDIR },
    });

  expect(run('')).toMatch(/^\/.*\/dragoman-run-\d+-\w+\n$/);
  expect(() => run('/no/such/folder')).toThrow('TMPDIR names /no/such/folder, which is no folder.');
});
