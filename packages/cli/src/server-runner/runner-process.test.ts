import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identifyProcess, isAlive, type ProcessIdentity } from '@dragoman/server/base';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { endProcess, startRunnerProcess } from './runner-process.ts';

async function sleeper(): Promise<ProcessIdentity> {
  const child = spawn('sleep', ['600']);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  return identifyProcess(child.pid!);
}

/** A process that ignores the request to end. */
async function deafProcess(): Promise<ProcessIdentity> {
  const program = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000); process.send('ready');";
  const child = spawn(process.execPath, ['--eval', program], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return identifyProcess(child.pid!);
}

test('a process that is told to end does, and one that does not respond is killed', async () => {
  const [ready, hung] = [await sleeper(), await deafProcess()];

  expect(await endProcess(ready, 'SIGTERM')).toBe('ended');
  expect(await endProcess(hung, 'SIGTERM', 10)).toBe('killed');
  expect(await endProcess(hung, 'SIGTERM')).toBe('ended');
});

test('a process that is about to end is not told to again', async () => {
  const ending = await sleeper();

  expect(await endProcess(ending, undefined, 10)).toBe('killed');
});

test.runIf(process.platform === 'linux')('a process that got the number of another is not ended for it', async () => {
  const { pid, birth } = await sleeper();

  expect(await endProcess({ pid, birth: `${birth}0` }, 'SIGTERM', 10)).toBe('ended');
  expect(await endProcess({ pid, birth }, 'SIGTERM')).toBe('ended');
});

/** Starts a program in place of ours. */
function startProgram(text: string, signal = new AbortController().signal) {
  const folder = tempFolder();
  const [file, logFile] = [join(folder, 'program.mjs'), join(folder, 'runner.log')];
  writeFileSync(file, text);
  const start = () =>
    startRunnerProcess({ program: [process.execPath, file], args: [], logFile, release: async () => {}, signal });
  return { start, said: () => readFileSync(logFile, 'utf8') };
}

test('how a process for agents ended is known, and what it and those before it wrote is kept', async () => {
  const { start, said } = startProgram(`
    process.send('ready');
    process.once('message', () => process.send('open'));
    process.once('disconnect', () => { console.error('out of memory'); process.exit(7); });`);

  expect(await (await start()).gone).toEqual({ code: 7, signal: null });
  expect(await (await start()).gone).toEqual({ code: 7, signal: null });
  expect(said()).toBe('out of memory\nout of memory\n');
});

test('a process for agents that is called off while it starts is gone, whatever it does with signals', async () => {
  const closing = new AbortController();
  const { start, said } = startProgram(
    `process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000); console.log(process.pid);`,
    closing.signal,
  );
  const starting = start();
  await expect.poll(said).toMatch(/^\d+\n$/);
  closing.abort(new Error('the server is closed'));

  await expect(starting).rejects.toThrow('the server is closed');
  await expect.poll(() => isAlive(Number(said()))).toBe(false);
});
