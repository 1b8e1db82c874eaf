import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { asOrdinaryUser, closedFolder, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { agentEnvironment } from './agent-environment.ts';
import { type ChildAgent, type ChildAgentOptions, startChildAgent } from './child-agent.ts';

const program = (source: string) => [process.execPath, '-e', source];
const start = (options: Partial<ChildAgentOptions> & { command: readonly string[] }) =>
  startChildAgent({ cwd: process.cwd(), onLine: () => {}, ...options });

test('an agent is talked to in lines, and its end is told with the last of its complaints', async () => {
  const lines: string[] = [];
  const child = await start({
    command: program(
      `process.stdin.on('data', (d) => process.stdout.write('got ' + d)).on('end', () => { console.error('out of tokens'); process.exitCode = 3 })`,
    ),
    onLine: (line) => void lines.push(line),
  });
  await child.write('hello');
  child.closeInput();
  const ending = await child.ended;

  expect(lines).toEqual(['got hello']);
  expect(ending).toEqual({ code: 3, signal: null, wasStopped: false, text: 'exited with code 3: out of tokens' });
  await expect(child.write('more')).rejects.toThrow('exited with code 3');
});

test.runIf(process.platform === 'linux').each([
  ['ends by itself', async () => {}],
  ['is stopped', (child: ChildAgent) => child.stop()],
])('a daemon that left the group of its agent ends with it when it %s (needs Linux)', async (_title, end) => {
  const folder = tempFolder();
  const file = join(folder, 'pid');
  const isStopped = _title === 'is stopped';
  const child = await start({
    command: [
      'sh',
      '-c',
      `setsid sh -c 'echo $$ > ${file}.new; mv ${file}.new ${file}; sleep 600' > /dev/null 2>&1 & while [ ! -e ${file} ]; do sleep 0.02; done; echo ready; ${isStopped ? 'sleep 600' : ''}`,
    ],
  });
  await expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true);
  const daemon = Number(readFileSync(file, 'utf8'));
  expect(existsSync(`/proc/${daemon}`)).toBe(true);

  await end(child);
  await child.ended;

  await expect.poll(() => stateOf(daemon), { timeout: 20_000 }).toMatch(/gone|Z/);
});

/** The state of a process, as the system has it; one that nobody reaped is a zombie. */
function stateOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)![0]!;
  } catch {
    return 'gone';
  }
}

test('a command that is missing is told with how to install it, a folder that is missing by its name', async () => {
  await expect(
    start({ command: ['no-such-agent-anywhere'], installHint: 'npm install -g @google/gemini-cli' }),
  ).rejects.toMatchObject({
    code: 'unavailable',
    fix: 'npm install -g @google/gemini-cli',
    message:
      '"no-such-agent-anywhere" is not on the PATH of this machine; install it with: npm install -g @google/gemini-cli',
  });
  await expect(start({ command: ['/no/such/agent'] })).rejects.toThrow(
    'there is no program at /no/such/agent on this machine; install it, or name its place in the configuration',
  );
  await expect(start({ command: program('0'), cwd: '/no/such/folder' })).rejects.toThrow(
    'the folder /no/such/folder is not there',
  );
});

test('an agent is not looked for among the programs of the project that it works in', async () => {
  const cwd = tempFolder();
  const bin = join(cwd, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'some-agent'), `#!/bin/sh\n: > ${cwd}/ran\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `node_modules/.bin:${bin}:${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());

  await expect(start({ command: ['some-agent'], cwd })).rejects.toThrow(
    '"some-agent" is not on the PATH of this machine',
  );
  expect(existsSync(join(cwd, 'ran'))).toBe(false);
});

test('a command that is missing is told as missing also where a folder of the PATH may not be entered', async () => {
  const env = { PATH: `${closedFolder()}:/usr/bin` };

  await expect(asOrdinaryUser(() => start({ command: ['no-such-agent-anywhere'], cwd: '/', env }))).rejects.toThrow(
    '"no-such-agent-anywhere" is not on the PATH of this machine; install it, or name its place in the configuration',
  );
});

test('a file that may not be run, a script without its interpreter and a folder that may not be entered are told apart', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'plain'), '#!/bin/sh\n');
  writeFileSync(join(folder, 'script'), '#!/no/such/interpreter\n', { mode: 0o755 });
  const closed = closedFolder();

  await expect(start({ command: [join(folder, 'plain')] })).rejects.toThrow(
    `"${folder}/plain" may not be run; make it executable`,
  );
  await expect(start({ command: [join(folder, 'script')], cwd: '/' })).rejects.toThrow(
    `"${folder}/script" cannot be started in /: the program named in its first line was not found`,
  );
  await expect(asOrdinaryUser(() => start({ command: ['true'], cwd: closed }))).rejects.toThrow(
    `the folder ${closed} may not be entered`,
  );
});

test('what no program can be started with is told in words', async () => {
  await expect(start({ command: ['cat', 'x'.repeat(3_000_000)] })).rejects.toMatchObject({
    code: 'too-large',
    message: 'what "cat" is started with is too long: the longest of its arguments has 3000000 bytes',
  });
  await expect(start({ command: ['cat', 'a\0b'] })).rejects.toMatchObject({
    code: 'bad-request',
    message: 'an argument of "cat" has a NUL character in it, which no program can be given',
  });
});

test('an agent that writes nothing that is understood is ended; a few such lines between others are no matter', async () => {
  let count = 0;
  const flood = await start({ command: ['yes'], onLine: () => ++count < 0 });
  const ending = await flood.ended;
  expect({ count, text: ending.text }).toEqual({
    count: 1001,
    text: 'wrote 1001 lines in a row that are not understood, the last of them: y',
  });

  const talker = await start({
    command: program(`for (let i = 0; i < 3000; i++) console.log(i % 500 === 0 ? 'word' : 'noise')`),
    onLine: (line) => line === 'word',
  });
  expect(await talker.ended).toMatchObject({ code: 0, text: 'exited with code 0' });
});

test('the last lines of an agent are heard before its end, however long they take', async () => {
  const lines: string[] = [];
  const child = await start({
    command: program(`console.log('line\\n'.repeat(20000) + 'last')`),
    onLine: (line) => void lines.push(line),
  });
  await child.ended;

  expect([lines.length, lines.at(-1)]).toEqual([20_001, 'last']);
});

test('no line is lost of an agent that is gone long before its lines are worked on, nor with a helper that outlives it', async () => {
  for (const last of [
    '',
    `require('node:child_process').spawn('sleep', ['60'], { detached: true, stdio: 'inherit' }).unref()`,
  ]) {
    const lines: string[] = [];
    const child = await start({
      command: program(`console.log(('{"step":"' + 'x'.repeat(60) + '"}\\n').repeat(5000) + 'last'); ${last}`),
      onLine: (line) => {
        lines.push(line);
        for (const until = performance.now() + 0.5; performance.now() < until;);
      },
    });
    await child.ended;

    expect([lines.length, lines.at(-1)]).toEqual([5001, 'last']);
  }
});

test('what it was given in its environment is not in what is told of it', async () => {
  const heard: string[] = [];
  const child = await start({
    command: program(`console.error('the key ' + process.env.KEY + ' is not valid'); process.exitCode = 1`),
    env: { KEY: 'sk-123456', DEBUG: '1' },
    onStderr: (text) => heard.push(text),
  });

  expect((await child.ended).text).toBe('exited with code 1: the key [KEY] is not valid');
  expect([child.stderrTail, ...heard].join('')).not.toContain('sk-123456');
});

test('an agent that ignores the request to go is made to, with everything it started', async () => {
  const lines: string[] = [];
  const child = await start({
    command: program(`
      process.on('SIGTERM', () => {});
      const other = require('node:child_process').spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)']);
      console.log(other.pid);
      setInterval(() => {}, 1000);`),
    onLine: (line) => void lines.push(line),
    graceMs: 50,
  });
  while (lines.length === 0) await delay(5);
  await Promise.all([child.stop(), child.stop()]);

  expect(await child.ended).toMatchObject({ signal: 'SIGKILL', wasStopped: true });
  expect(await gone(Number(lines[0]))).toBe(true);
});

test('an agent does not outlive a runner that is killed', async () => {
  const folder = tempFolder();
  const pidFile = join(folder, 'pid');
  const runner = spawn(
    process.execPath,
    [
      '--conditions=@dragoman/source',
      '--input-type=module',
      '-e',
      `import { startChildAgent } from ${JSON.stringify(new URL('child-agent.ts', import.meta.url).href)};
       import { writeFileSync } from 'node:fs';
       const child = await startChildAgent({ command: [process.execPath, '-e', 'setInterval(() => {}, 1000)'], cwd: '/', onLine() {} });
       writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
       console.log('ready');
       setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(runner.stdout, 'data');
  runner.kill('SIGKILL');

  expect(await gone(Number(readFileSync(pidFile, 'utf8')))).toBe(true);
});

test.runIf(process.platform === 'linux')(
  'what an agent started does not outlive a runner that is killed in the moment of its start',
  async () => {
    const folder = tempFolder();
    const started = `sleep 600 & echo $! > pid; kill -9 $PPID`;
    const runner = spawn(
      process.execPath,
      [
        '--conditions=@dragoman/source',
        '--input-type=module',
        '-e',
        `import { startChildAgent } from ${JSON.stringify(new URL('child-agent.ts', import.meta.url).href)};
         await startChildAgent({ command: ['/bin/sh', '-c', ${JSON.stringify(started)}], cwd: ${JSON.stringify(folder)}, onLine() {} });
         setInterval(() => {}, 1000);`,
      ],
      { stdio: 'ignore' },
    );
    await once(runner, 'exit');

    expect(await gone(Number(readFileSync(join(folder, 'pid'), 'utf8')))).toBe(true);
  },
);

test('an agent inherits what a shell would give it, and nothing of ours', () => {
  const environment = { PATH: '/bin', GEMINI_API_KEY: 'g', DRAGOMAN_TOKEN: 't', EMPTY: undefined };

  expect(agentEnvironment(environment)).toEqual({ PATH: '/bin', GEMINI_API_KEY: 'g' });
});

/** Waits until a process is no more. */
async function gone(pid: number): Promise<true> {
  for (;;) {
    try {
      process.kill(pid, 0);
      // A process that ended and that nobody has asked about is not there any more either.
      if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return true;
    } catch {
      return true;
    }
    await delay(10);
  }
}
