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

test.runIf(process.platform === 'linux')(
  'a daemon that left the group of its command ends with the session, and not with its terminal (needs Linux)',
  async () => {
    const terminals = open(tempFolder());
    const command = 'setsid sleep 1000 > /dev/null 2>&1 & echo $!; sleep 1000';
    const terminal = await terminals.create({ command });
    const pid = await new Promise<number>((resolve) =>
      terminals.follow(terminal.terminalId, (text) => resolve(Number(text))),
    );
    await expect.poll(() => sessionOf(pid), { timeout: 20_000 }).toBe(pid);

    await terminals.release(terminal);
    expect(isRunning(pid)).toBe(true);
    await terminals.endAll();

    await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
  },
);

/** The session that a process is in; a daemon leads one of its own. */
function sessionOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')[3]);
}

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
