import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { ClientTerminals } from './client-terminals.ts';

const signal = new AbortController().signal;

test('a command line runs in a shell, in its folder, with its environment; both outputs are kept', async () => {
  const cwd = tempFolder();
  const terminals = open(cwd);

  const terminal = await terminals.create({
    command: 'echo "$GREETING from $PWD"; echo oops >&2; exit 3',
    env: [{ name: 'GREETING', value: 'hi' }],
  });

  expect(await terminals.waitForExit(terminal, signal)).toEqual({ exitCode: 3, signal: null });
  const { output, truncated } = terminals.output(terminal);
  expect(output.split('\n').toSorted()).toEqual(['', `hi from ${cwd}`, 'oops']);
  expect(truncated).toBe(false);
});

test('of a long output the end is kept, cut between characters', async () => {
  const terminals = open(tempFolder());

  const terminal = await terminals.create({ command: `printf '%s' "${'é'.repeat(50)}"`, outputByteLimit: 9 });
  await terminals.waitForExit(terminal, signal);

  expect(terminals.output(terminal)).toMatchObject({ output: 'é'.repeat(4), truncated: true });
});

test('a command that is killed takes what it started with it', async () => {
  const terminals = open(tempFolder());
  const terminal = await terminals.create({ command: 'sleep 1000 & echo $!; wait' });
  const pid = await new Promise<number>((resolve) =>
    terminals.follow(terminal.terminalId, (text) => resolve(Number(text))),
  );

  await terminals.kill(terminal);

  expect(await terminals.waitForExit(terminal, signal)).toEqual({ exitCode: null, signal: 'SIGTERM' });
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test('what cannot be started, is not known or is too much is refused', async () => {
  const terminals = open(tempFolder());

  await expect(terminals.create({})).rejects.toThrow('"command" is missing');
  await expect(terminals.create({ command: 'no-such-command' })).rejects.toThrow(
    '"no-such-command" cannot be started: there is no such program',
  );
  await expect(terminals.create({ command: 'ls', cwd: join(tempFolder(), 'x') })).rejects.toThrow('there is no folder');
  expect(() => terminals.output({ terminalId: 'x' })).toThrow('there is no terminal "x"');
});

test('waiting ends with the connection', async () => {
  const terminals = open(tempFolder());
  const closing = new AbortController();
  const terminal = await terminals.create({ command: 'sleep', args: ['1000'] });

  const waiting = terminals.waitForExit(terminal, closing.signal);
  closing.abort();

  await expect(waiting).rejects.toThrow('the session ended');
});

function open(cwd: string): ClientTerminals {
  const terminals = new ClientTerminals(cwd);
  onTestFinished(() => terminals.endAll());
  return terminals;
}

/** One that has ended and that nobody has asked about yet runs no more. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
