import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MODULE = fileURLToPath(new URL('until-interrupted.ts', import.meta.url));

/** A command whose good end takes for ever; says each signal that it has outlived. */
const STUBBORN = `
  import { untilInterrupted } from ${JSON.stringify(MODULE)};
  const { signal } = untilInterrupted();
  setInterval(() => {}, 60_000);
  process.on('SIGINT', () => console.log(signal.aborted ? 'asked to end' : 'not asked'));
  console.log('ready');
`;

test.each([
  { where: 'on its own', environment: {}, outlives: 1 },
  {
    where: 'under npm, which repeats the signal of the terminal',
    environment: { npm_lifecycle_event: 'start' },
    outlives: 2,
  },
])('a command $where outlives $outlives signal(s) and ends with 130 at the next', async ({ environment, outlives }) => {
  const { npm_lifecycle_event: _, ...plain } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', STUBBORN], {
    env: { ...plain, ...environment },
  });
  const ended = once(child, 'close');
  const heard: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    heard.push(line);
    child.kill('SIGINT');
  }

  expect(await ended).toEqual([130, null]);
  expect(heard).toEqual(['ready', ...Array.from({ length: outlives }, () => 'asked to end')]);
});

/** A command that ends well at the first signal, and is sent more of them from then on until it is gone. */
const PESTERED = `
  import { spawn } from 'node:child_process';
  import { untilInterrupted } from ${JSON.stringify(MODULE)};
  const waiting = setInterval(() => {}, 60_000);
  void untilInterrupted().promise.then(() => clearInterval(waiting));
  process.on('exit', () => {
    spawn('sh', ['-c', 'while kill -INT ' + process.pid + '; do :; done'], { detached: true, stdio: 'ignore' });
  });
  process.kill(process.pid, 'SIGINT');
`;

test.skipIf(process.platform === 'win32')(
  'a command that ends well says so, also when npm repeats the signal while it ends (not on Windows)',
  async () => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', PESTERED]);

    expect(await once(child, 'close')).toEqual([0, null]);
  },
);
