import { asOrdinaryUser, closedFolder, tempFolder } from '@dragoman/testkit';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextRound } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openSandbox } from '../../sandbox/open-sandbox.ts';
import { hasSandbox } from '../../sandbox/sandbox.fixture.ts';
import { isAlive, testBash, testContext, testJobs } from './bash.fixture.ts';

describe('a command', () => {
  test('runs in the working folder, and what it prints comes back in the order it was printed [FR-32]', async () => {
    const { bash } = testBash();
    const context = testContext();
    const command = 'pwd -P; for i in 1 2 3; do echo out $i; echo err $i >&2; done';

    const result = await bash.execute({ command, description: 'Counts' }, context);

    expect(result).toEqual({
      title: 'Counts',
      output: [realpathSync(context.cwd), 'out 1', 'err 1', 'out 2', 'err 2', 'out 3', 'err 3'].join('\n'),
      metadata: {
        output: expect.stringContaining('err 3'),
        exitCode: 0,
        durationMs: expect.any(Number),
        end: 'exited',
        isTruncated: false,
      },
      isBounded: true,
    });
  });

  test('that fails is a result that ends with its exit code [FR-32]', async () => {
    const { bash } = testBash();

    const failed = await bash.execute({ command: 'echo no; exit 3' }, testContext());
    expect(failed.output).toBe('no\n\n[Exit code 3.]');
    expect(failed.metadata).toMatchObject({ exitCode: 3 });

    const odd = await bash.execute({ command: '-c "echo no option"\n' }, testContext());
    expect(odd.metadata).toMatchObject({ exitCode: 127 });
    expect(odd.title).toBe('-c "echo no option"');

    const killed = await bash.execute({ command: 'kill -KILL $$' }, testContext());
    expect(killed.output).toBe('[Ended by SIGKILL.]');
    expect(killed.metadata).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
  });

  test('runs where workdir says, and not where there is no folder [FR-32]', async () => {
    const { bash } = testBash();
    const context = testContext();
    mkdirSync(join(context.cwd, 'sub'));

    const result = await bash.execute({ command: 'basename "$PWD"', workdir: 'sub' }, context);
    expect(result.output).toBe('sub');
    await expect(bash.execute({ command: 'ls', workdir: 'missing' }, context)).rejects.toThrow(
      `The folder ${join(context.cwd, 'missing')} does not exist`,
    );
  });

  test('has no input, no colours and none of our secrets [FR-32]', async () => {
    const { bash } = testBash({ env: { MINE: 'shown', KEY: 'secret' }, hiddenEnv: ['PATH_TO_SECRET'] });
    vi.stubEnv('DRAGOMAN_TOKEN', 'secret');
    vi.stubEnv('PATH_TO_SECRET', 'secret');

    const result = await bash.execute(
      { command: 'read line; echo "[$line] $MINE $TERM $NO_COLOR [$DRAGOMAN_TOKEN$PATH_TO_SECRET]"' },
      testContext(),
    );
    vi.unstubAllEnvs();

    expect(result.output).toBe('[] shown dumb 1 []');
  });

  test('may print what is no text [FR-32]', async () => {
    const { bash } = testBash();

    const bytes = await bash.execute({ command: `printf 'a\\xff\\xfeb\\0c\\n'` }, testContext());
    expect(bytes.output).toBe('a\ufffd\ufffdb␀c');
    const binary = await bash.execute({ command: 'head -c 2000 /dev/zero' }, testContext());
    expect(binary.output).toBe('[2000 bytes of binary output]');
  });

  test('is shown while it runs [FR-32]', async () => {
    const { bash } = testBash();
    const context = testContext();
    const running = bash.execute({ command: 'echo first; while [ ! -e go ]; do sleep 0.02; done; echo last' }, context);

    await vi.waitFor(() => expect(context.shown).toContainEqual({ output: 'first\n' }), 60_000);
    await bash.execute({ command: 'touch go' }, context);

    expect((await running).output).toBe('first\nlast');
  });

  test('that prints very much is shown at both ends, and all of it is in a file [FR-32]', async () => {
    const { bash, outputFolder } = testBash();

    const result = await bash.execute({ command: 'for i in {1..20000}; do echo "line $i"; done' }, testContext());

    expect(result.isBounded).toBe(true);
    expect(result.output.length).toBeLessThan(52_000);
    expect(result.output).toMatch(/^line 1\nline 2\n/);
    expect(result.output).toMatch(/line 19999\nline 20000$/);
    const ofSession = join(outputFolder, testContext().sessionID);
    const file = join(ofSession, readdirSync(ofSession)[0]!);
    expect(result.output).toContain(`all of it is in ${file}`);
    expect(result.metadata).toMatchObject({ isTruncated: true, outputFile: file });
    expect((result.metadata!['output'] as string).length).toBeLessThanOrEqual(30_000);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(20_001);
  });

  test('that cannot be started says why [FR-32]', async () => {
    const { bash } = testBash();

    await expect(bash.execute({ command: 'echo \0' }, testContext())).rejects.toThrow('NUL character');
    await expect(bash.execute({ command: `: ${'x'.repeat(200_000)}` }, testContext())).rejects.toThrow(
      /could not be started: the system takes no command of 200\d{3} bytes/,
    );
    const closed = { ...testContext(), cwd: closedFolder() };
    await expect(asOrdinaryUser(() => bash.execute({ command: 'true' }, closed))).rejects.toThrow(
      'The command could not be started: there is no permission to open the folder',
    );
  });
});

describe('a command that does not end', () => {
  /** Runs it with a limit of 300 ms, none of which pass before it has printed something and noted who it is. */
  async function runPastLimit(
    bash: ReturnType<typeof testBash>['bash'],
    command: string,
    context: ReturnType<typeof testContext>,
  ) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const running = bash.execute({ command, timeout: 300 }, context);
    const pid = join(context.cwd, 'pid');
    const hasNoted = () => existsSync(pid) && readFileSync(pid, 'utf8').endsWith('\n');
    // One timer is its limit, the other says that what it printed was heard.
    while (!hasNoted() || vi.getTimerCount() < 2) await nextRound();
    vi.advanceTimersByTime(300);
    // From here on it passes as it does.
    let isOver = false;
    void running.finally(() => (isOver = true));
    for (let before = performance.now(), now = before; !isOver; await nextRound()) {
      [before, now] = [now, performance.now()];
      vi.advanceTimersByTime(now - before);
    }
    return running;
  }

  test('is stopped at its limit with everything it started, and what it printed stays [FR-32]', async () => {
    const { bash } = testBash();
    const context = testContext();
    const command = 'echo started; sleep 1000 & echo $! > pid; wait';

    const result = await runPastLimit(bash, command, context);

    expect(result.output).toBe(
      'started\n\n[Stopped: it took longer than its limit of 300 ms. Set a longer timeout or background: true.]',
    );
    expect(result.metadata).toMatchObject({ end: 'timed-out' });
    expect(isAlive(Number(readFileSync(join(context.cwd, 'pid'), 'utf8')))).toBe(false);
  });

  test('is killed when it does not listen [FR-32]', async () => {
    const { bash } = testBash({ graceMs: 100 });
    const context = testContext();
    const command = `trap '' TERM; echo $$ > pid; echo deaf; while :; do sleep 0.1; done`;

    const result = await runPastLimit(bash, command, context);

    expect(result.output).toMatch(/^deaf\n/);
    expect(isAlive(Number(readFileSync(join(context.cwd, 'pid'), 'utf8')))).toBe(false);
  });

  test('is stopped when the call is called off, before or while it runs [FR-32]', async () => {
    const { bash } = testBash();
    const controller = new AbortController();
    const context = testContext({ abort: controller.signal });
    const running = bash.execute({ command: 'echo here > here; echo seen; sleep 1000' }, context);

    await vi.waitFor(() => expect(existsSync(join(context.cwd, 'here'))).toBe(true), 60_000);
    controller.abort();
    expect((await running).output).toMatch(/\[Stopped: the call was cancelled before the command ended\.\]$/);

    const late = testContext({ abort: AbortSignal.abort() });
    expect((await bash.execute({ command: 'touch made' }, late)).metadata).toMatchObject({ end: 'aborted' });
    expect(existsSync(join(late.cwd, 'made'))).toBe(false);
  });

  test('cannot ask for more than the longest limit [FR-32]', () => {
    const { bash } = testBash({ maxTimeoutMs: 5000, timeoutMs: 1000, graceMs: 3000 });

    expect(bash.timeoutMs?.({ command: 'x', timeout: 99_999_999 })).toBe(5000 + 3000 + 7000);
    expect(bash.timeoutMs?.({ command: 'x' })).toBe(1000 + 3000 + 7000);
    expect(bash.description).toContain('stopped after 1 s');
  });
});

describe('a command that leaves something running', () => {
  test('does not hold the call; what it left ends with the registry [FR-32]', async () => {
    const jobs = testJobs();
    const { bash } = testBash({ jobs });
    const context = testContext();

    const result = await bash.execute({ command: 'sleep 1000 & echo $! > pid; echo done' }, context);

    expect(result.output).toMatch(/^done\n\n\[Something that was started is still running/);
    const pid = Number(readFileSync(join(context.cwd, 'pid'), 'utf8'));
    expect(isAlive(pid)).toBe(true);
    await jobs.close();
    expect(isAlive(pid)).toBe(false);
  });

  test('lets that go on printing without being read [FR-32]', async () => {
    const { bash } = testBash();
    const context = testContext();
    const command = '(while [ ! -e go ]; do sleep 0.02; done; echo more; echo more; touch printed) & echo done';

    await bash.execute({ command }, context);
    await bash.execute({ command: 'touch go' }, context);

    await vi.waitFor(() => expect(existsSync(join(context.cwd, 'printed'))).toBe(true), 60_000);
  });
});

test('in the sandbox the shell runs through what wraps it, with the environment it gives [FR-32]', async () => {
  const asked: unknown[] = [];
  const { bash } = testBash({
    shell: '/bin/sh',
    confinement: { network: true },
    sandbox: {
      wrap: (command, { env, ...options }) => {
        asked.push({ command, ...options, hasEnv: env['NO_COLOR'] });
        return Promise.resolve({ command: ['/usr/bin/env', 'INSIDE=yes', ...command], env: { OUTSIDE: 'yes' } });
      },
    },
  });
  const context = testContext();

  const result = await bash.execute({ command: 'echo $INSIDE $OUTSIDE "[$NO_COLOR]"' }, context);

  expect(result.output).toBe('yes yes []');
  expect(asked).toEqual([
    {
      command: ['/bin/sh', '-c', 'echo $INSIDE $OUTSIDE "[$NO_COLOR]"'],
      cwd: context.cwd,
      writable: [context.cwd],
      network: true,
      hasEnv: '1',
    },
  ]);
});

describe.skipIf(!hasSandbox)('in a real sandbox (needs bubblewrap)', () => {
  test('what other programs obey is kept from it, and it is told so', async () => {
    const { bash } = testBash({ sandbox: await openSandbox() });
    const context = testContext();
    mkdirSync(join(context.cwd, '.dragoman', 'tools'), { recursive: true });
    mkdirSync(join(context.cwd, 'sub'));

    const refused = await bash.execute({ command: 'echo evil > .dragoman/tools/evil.js' }, context);
    const inside = await bash.execute({ command: 'echo evil > evil.js', workdir: '.dragoman/tools' }, context);
    const renamed = await bash.execute({ command: 'mkdir sub/.git' }, context);

    expect(bash.description).toContain('not what other programs run or obey in it, such as .git');
    for (const { output } of [refused, inside])
      expect(output).toMatch(/Read-only file system\n\n\[Commands run in a sandbox: [^]+\[Exit code \d+\.\]$/);
    expect(renamed.output).toBe(
      '[sub/.git was made or replaced in the sandbox. Other programs run or obey what has this name, so it is now sub/.git.held-back; the person can rename it back.]',
    );
    expect(readdirSync(context.cwd)).toEqual(['.dragoman', 'sub']);
    expect(readdirSync(join(context.cwd, '.dragoman', 'tools'))).toEqual([]);
  });

  test('a folder elsewhere that other programs obey is not writable for being the one it runs in', async () => {
    const { bash } = testBash({ sandbox: await openSandbox() });
    const hooks = join(tempFolder(), '.git', 'hooks');
    mkdirSync(hooks, { recursive: true });

    await bash.execute({ command: 'echo evil > pre-commit', workdir: hooks }, testContext());

    expect(readdirSync(hooks)).toEqual([]);
  });

  test('a job that is killed leaves nothing there either', async () => {
    const { bash, jobs } = testBash({ sandbox: await openSandbox() });
    const context = testContext();
    const command = 'mkdir -p .git/hooks; mkdir -p a/.git; touch made; sleep 600';

    const { metadata } = await bash.execute({ command, background: true }, context);
    await vi.waitFor(() => expect(existsSync(join(context.cwd, 'made'))).toBe(true), 60_000);
    const whileItRan = readdirSync(join(context.cwd, '.git'));
    await jobs.kill(context.sessionID, metadata!['jobID'] as string);

    expect(whileItRan).toEqual([]);
    expect(readdirSync(context.cwd)).toEqual(['a', 'made']);
    expect(readdirSync(join(context.cwd, 'a'))).toEqual(['.git.held-back']);
    const { text } = await jobs.read(context.sessionID, metadata!['jobID'] as string);
    expect(text).toContain('it is now a/.git.held-back');
  });

  test('a command that is called off before it starts leaves nothing', async () => {
    const { bash } = testBash({ sandbox: await openSandbox() });
    const context = testContext({ abort: AbortSignal.abort() });

    await bash.execute({ command: 'touch made' }, context);

    expect(readdirSync(context.cwd)).toEqual([]);
  });
});

test('before it runs, the commands and the folder outside the project are told [FR-32]', async () => {
  const { bash } = testBash();
  const root = realpathSync(tempFolder());
  const outside = realpathSync(tempFolder());
  const context = testContext({ cwd: root, root });

  expect(await bash.subjects?.({ command: 'ls > list', workdir: outside }, context)).toEqual([
    { kind: 'command', value: 'ls' },
    { kind: 'path', value: `${outside}/list` },
    { kind: 'path', value: outside },
    { kind: 'path', value: `${outside}/list`, deniedAs: 'edit' },
  ]);
  expect(await bash.subjects?.({ command: 'ls' }, context)).toEqual([{ kind: 'command', value: 'ls' }]);
});
