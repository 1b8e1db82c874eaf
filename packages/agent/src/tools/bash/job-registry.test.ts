import { tempFolder } from '@dragoman/testkit';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { isAlive, testBash, testContext, testJobs } from './bash.fixture.ts';
import type { EndedJob } from './job-registry.ts';
import { jobTools } from './job-tools.ts';

const PATIENCE = 60_000;

function testTools() {
  const ended: EndedJob[] = [];
  const jobs = testJobs({ onExit: (job) => ended.push(job) });
  const [output, kill] = jobTools(jobs);
  return { ...testBash({ jobs }), jobs, ended, output: output!, kill: kill! };
}

describe('a background job', () => {
  test.runIf(process.platform === 'linux')(
    'a daemon that left the group of its command ends with the session, and not before (needs Linux)',
    async () => {
      const { bash, jobs } = testTools();
      const context = testContext();
      const started = await bash.execute(
        {
          command:
            'setsid sh -c "echo \\$\\$ > pid; exec sleep 600" > /dev/null 2>&1 & while [ ! -s pid ]; do sleep 0.02; done; cat pid',
        },
        context,
      );
      const daemon = Number.parseInt(started.output, 10);

      await jobs.killSession('ses_other');
      expect(isAlive(daemon)).toBe(true);
      await jobs.killSession(context.sessionID);
      await vi.waitFor(() => expect(isAlive(daemon)).toBe(false), PATIENCE);
    },
  );

  test('is started at once, read as it prints, and its end is told [FR-32]', async () => {
    const { bash, jobs, ended, output } = testTools();
    const context = testContext();
    const wait = async () => (await output.execute({ jobID, wait: PATIENCE }, context)).output;

    const started = await bash.execute(
      { command: 'echo one; while [ ! -e go ]; do sleep 0.02; done; echo two; exit 4', background: true },
      context,
    );
    const jobID = jobs.list(context.sessionID)[0]!.id;
    expect(started.output).toContain(`Started as background job ${jobID}`);
    expect(started.metadata).toMatchObject({ jobID });

    expect(await wait()).toMatch(/^one\n\n\[Job job_\w+ has been running for \d+\.\d s\.\]$/);
    const nothing = await output.execute({ jobID }, context);
    expect(nothing.output).toMatch(/^\[No new output\.\]/);
    await bash.execute({ command: 'touch go' }, context);
    expect(await wait()).toMatch(/^two\n/);
    await vi.waitFor(() => expect(ended).toHaveLength(1), PATIENCE);

    expect(await wait()).toMatch(/^\[No new output\.\]\n\n\[Job job_\w+ ended with exit code 4 after \d+\.\d s\.\]$/);
    expect(ended).toEqual([
      {
        sessionID: context.sessionID,
        jobID,
        command: 'echo one; while [ ! -e go ]; do sleep 0.02; done; echo two; exit 4',
        exitCode: 4,
        signal: null,
        tail: 'one\ntwo\n',
      },
    ]);
  });

  test('is killed with everything it started, and that end is not told [FR-32]', async () => {
    const { bash, jobs, ended, output, kill } = testTools();
    const context = testContext();
    await bash.execute({ command: 'sleep 1000 & echo $!; wait', background: true }, context);
    const jobID = jobs.list(context.sessionID)[0]!.id;
    const pid = Number.parseInt((await output.execute({ jobID, wait: PATIENCE }, context)).output, 10);
    expect(isAlive(pid)).toBe(true);

    const result = await kill.execute({ jobID }, context);

    expect(result.output).toMatch(/was killed after/);
    expect(isAlive(pid)).toBe(false);
    expect(ended).toEqual([]);
    expect((await kill.execute({ jobID }, context)).output).toMatch(/was killed after/);
  });

  test('that prints very much keeps its end, and says where the rest is [FR-32]', async () => {
    const { bash, jobs, ended, output } = testTools();
    const context = testContext();
    await bash.execute({ command: 'for i in {1..20000}; do echo "line $i"; done', background: true }, context);
    const jobID = jobs.list(context.sessionID)[0]!.id;
    await vi.waitFor(() => expect(ended).toHaveLength(1), PATIENCE);

    const { output: text } = await output.execute({ jobID }, context);

    expect(text).toMatch(/^\[… \d+ bytes before this were left out …\]/);
    expect(text).toContain('line 20000\n');
    const file = /Everything it printed is in (.*)\.\]$/.exec(text)![1]!;
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(20_001);
  });

  test('belongs to its session: others do not see it, and it ends with it [FR-32]', async () => {
    const { bash, jobs, output } = testTools();
    const context = testContext();
    await bash.execute({ command: 'echo $$; exec sleep 1000', background: true }, context);
    const jobID = jobs.list(context.sessionID)[0]!.id;
    const pid = Number.parseInt((await output.execute({ jobID, wait: PATIENCE }, context)).output, 10);

    const other = testContext({ sessionID: 'ses_2' });
    await expect(output.execute({ jobID }, other)).rejects.toThrow(`There is no job "${jobID}". There are no jobs.`);
    await expect(output.execute({ jobID: 'job_x' }, context)).rejects.toThrow(`${jobID} (running): echo $$;`);
    await jobs.killSession('ses_2');
    expect(isAlive(pid)).toBe(true);
    await jobs.killSession(context.sessionID);
    expect(isAlive(pid)).toBe(false);
    expect(jobs.list(context.sessionID)).toEqual([]);
  });

  test('is one of a bounded number [FR-32]', async () => {
    const jobs = testJobs({ maxRunning: 1, maxEnded: 1 });
    const start = (command: string) =>
      jobs.start({
        sessionID: 's',
        command,
        argv: ['/bin/sh', '-c', command],
        cwd: '/',
        env: {},
        outputFolder: tempFolder(),
      });
    const first = await start('exec sleep 1000');

    await expect(start('true')).rejects.toThrow(`1 background jobs are running, and that is the most`);
    await jobs.kill('s', first.id);
    const second = await start('true');
    await vi.waitFor(() => expect(jobs.list('s').map(({ id }) => id)).toEqual([second.id]), PATIENCE);
    await jobs.close();
    await expect(start('true')).rejects.toThrow('shutting down');
  });

  test('is waited for only until the call is called off [FR-32]', async () => {
    const { bash, jobs, output } = testTools();
    const controller = new AbortController();
    const context = testContext({ abort: controller.signal });
    await bash.execute({ command: 'exec sleep 1000', background: true }, context);
    const jobID = jobs.list(context.sessionID)[0]!.id;

    const waiting = output.execute({ jobID, wait: 100_000 }, context);
    controller.abort();

    expect((await waiting).output).toMatch(/^\[No new output\.\]/);
    expect(output.timeoutMs?.({ jobID, wait: 999_999 })).toBe(125_000);
  });
});

describe('when the process ends, nothing it started outlives it', () => {
  const registry = fileURLToPath(new URL('./job-registry.ts', import.meta.url));
  const program = (ending: string, leave: string) => `
    const leave = ${JSON.stringify(leave)};
    import { JobRegistry } from ${JSON.stringify(registry)};
    const jobs = new JobRegistry();
    const others = new JobRegistry();
    await others.start({ sessionID: 's', command: '', argv: ['/bin/sleep', '1000'], cwd: process.cwd(), env: {}, outputFolder: '.' });
    const command = 'trap "" TERM HUP INT; ' + leave + 'sleep 1000 & echo $! $$ > pids.new; mv pids.new pids; wait';
    await jobs.start({ sessionID: 's', command, argv: ['/bin/sh', '-c', command], cwd: process.cwd(), env: { PATH: process.env.PATH }, outputFolder: '.' });
    const { existsSync } = await import('node:fs');
    while (!existsSync('pids')) await new Promise((resolve) => setTimeout(resolve, 10));
    ${ending}
  `;
  const run = (folder: string, ending: string, leave = '') => {
    const arguments_ = ['--conditions=@dragoman/source', '--input-type=module', '-e', program(ending, leave)];
    return spawn(process.execPath, arguments_, { cwd: folder, stdio: 'ignore' });
  };
  const ends: [string, string, unknown][] = [
    ['by itself', 'process.exit(0);', [0, null]],
    ['by a signal', "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);", [null, 'SIGTERM']],
    ['by closing at once', 'jobs.closeNow(); others.closeNow(); process.reallyExit(7);', [7, null]],
    [
      'by a signal that it handles',
      "process.on('SIGINT', () => process.exit(5)); process.kill(process.pid, 'SIGINT'); setInterval(() => {}, 1000);",
      [5, null],
    ],
  ];

  test.each(ends)('%s [FR-32]', async (_, ending, expected) => {
    const folder = tempFolder();
    const child = run(folder, ending);
    const exit = await new Promise((resolve) => child.once('exit', (code, signal) => resolve([code, signal])));

    expect(exit).toEqual(expected);
    const pids = readFileSync(join(folder, 'pids'), 'utf8').trim().split(' ').map(Number);
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), PATIENCE);
  });

  test.runIf(process.platform === 'linux').each([
    ['a command', ''],
    ['a daemon that left the group of its command', 'setsid '],
  ])('nor does %s when the process is killed outright (needs Linux)', async (_, leave) => {
    const folder = tempFolder();
    const child = run(folder, "process.kill(process.pid, 'SIGKILL');", leave);
    await new Promise((resolve) => child.once('exit', resolve));

    const pids = readFileSync(join(folder, 'pids'), 'utf8').trim().split(' ').map(Number);
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), PATIENCE);
  });
});
