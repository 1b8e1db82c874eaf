import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ToolError } from '../tools/tool.ts';
import { openSandbox } from './open-sandbox.ts';
import { hasSandbox, runScript, SMALL } from './sandbox.fixture.ts';

/** What a piece of JavaScript answers, or the code of its error. */
async function answer(code: string, run: Parameters<typeof runScript>[1] = {}): Promise<unknown> {
  const { stdout, stderr } = await runScript(
    `let answer; try { answer = (() => { ${code} })() } catch (error) { answer = error.code } console.log(JSON.stringify(answer ?? null))`,
    run,
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

/** A server on this machine that remembers whether anybody came. */
async function listen(at: { port: number; host: string } | { path: string }) {
  let visits = 0;
  const server = createServer((socket) => {
    visits++;
    socket.end('hello');
  });
  await new Promise<void>((resolve) => server.listen(at, resolve));
  onTestFinished(() => void server.close());
  return { address: server.address(), visits: () => visits };
}

/** Is there a process on this machine with these words in its command line? */
function isRunning(words: string): boolean {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(words);
      } catch {
        return false;
      }
    });
}

describe.skipIf(!hasSandbox)('what is seen inside (needs bubblewrap)', () => {
  test('a command sees the programs of the system, Node, and what is named [FR-37]', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'a.txt'), 'hello');

    expect(
      await answer(`return require('fs').readFileSync(${JSON.stringify(join(folder, 'a.txt'))}, 'utf8')`, {
        readOnly: [folder],
      }),
    ).toBe('hello');
    expect(
      await answer(
        `return require('fs').readdirSync('/etc').filter((name) => !/^(alternatives|ld.so.cache|localtime)$/.test(name))`,
      ),
    ).toEqual([]);
    const places = ['/home', '/root', '/opt', '/srv', '/var', '/sys'];
    const isNodeIn = (place: string) => process.execPath.startsWith(`${place}/`);
    expect(await answer(`return ${JSON.stringify(places)}.filter((place) => require('fs').existsSync(place))`)).toEqual(
      places.filter(isNodeIn),
    );
  });

  test.skipIf(/^\/(usr|nix)\//.test(process.execPath))(
    'where Node lies below the home folder or a project, only the way to it is there (needs a Node outside /usr)',
    async () => {
      const names = process.execPath.split('/').slice(1);
      const folders = names.slice(1).map((_, n) => `/${names.slice(0, n + 1).join('/')}`);

      expect(
        await answer(`return ${JSON.stringify(folders)}.map((folder) => require('fs').readdirSync(folder))`),
      ).toEqual(names.slice(1).map((name) => [name]));
    },
  );

  test('the home folder is not there [FR-37]', async () => {
    const home = tempFolder();
    writeFileSync(join(home, 'diary.txt'), 'secret');

    expect(
      await answer(`return require('fs').readFileSync(${JSON.stringify(join(home, 'diary.txt'))}, 'utf8')`, {
        options: { home },
      }),
    ).toBe('ENOENT');
    expect(await answer(`return require('os').homedir()`, { options: { home } })).toBe('/tmp');
  });

  test('the data folder and the keys in the home folder stay hidden, even inside a folder that is shown', async () => {
    const home = tempFolder();
    const data = join(home, 'data');
    for (const folder of [data, join(home, '.ssh')]) mkdirSync(folder);
    writeFileSync(join(data, 'dragoman.sqlite'), 'secret');
    writeFileSync(join(home, '.ssh', 'id_rsa'), 'secret');
    writeFileSync(join(home, '.netrc'), 'secret');
    writeFileSync(join(home, 'notes.txt'), 'not secret');

    expect(
      await answer(
        `const fs = require('fs'); return ['data', '.ssh'].map((name) => fs.readdirSync(name)).concat(fs.readFileSync('.netrc', 'utf8'), fs.readFileSync('notes.txt', 'utf8'))`,
        { options: { home, hidden: [data] }, readOnly: [home], cwd: home },
      ),
    ).toEqual([[], [], '', 'not secret']);
  });

  test('only the temporary folder can be written, and it is gone afterwards [FR-37]', async () => {
    const folder = tempFolder();
    const write = (path: string) =>
      answer(`require('fs').writeFileSync(${JSON.stringify(path)}, 'x'); return 'written'`, { readOnly: [folder] });

    expect(await write(join(folder, 'a.txt'))).toBe('EROFS');
    expect(await write('/usr/a.txt')).toBe('EROFS');
    expect(await write('/a.txt')).toBe('EROFS');
    expect(await write('/dev/shm/a.txt')).toBe('EROFS');
    expect(await write('/tmp/dragoman-sandbox-test.txt')).toBe('written');
    expect(existsSync('/tmp/dragoman-sandbox-test.txt')).toBe(false);
    // Where Node itself is below /tmp, the way to it is there.
    const wayToNode = /^\/tmp\/([^/]+)/.exec(process.execPath)?.slice(1) ?? [];
    expect(await answer(`return require('fs').readdirSync('/tmp')`)).toEqual(wayToNode);
  });

  test('settings of the kernel cannot be changed, not even by root', async () => {
    expect(
      await answer(
        `const fs = require('fs'), path = '/proc/sys/kernel/core_pattern'; fs.writeFileSync(path, fs.readFileSync(path))`,
      ),
    ).toMatch(/^(EROFS|EACCES)$/);
  });

  test('it has no capabilities, can get none, and sees no process but its own', async () => {
    const status = await answer(
      `return require('fs').readFileSync('/proc/self/status', 'utf8').match(/(CapEff|CapBnd|NoNewPrivs|Seccomp):.*/g)`,
    );

    expect(status).toEqual(['CapEff:\t0000000000000000', 'CapBnd:\t0000000000000000', 'NoNewPrivs:\t1', 'Seccomp:\t2']);
    expect(await answer(`return require('fs').readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length`)).toBe(
      2,
    );
  });

  test('keys in our environment are not in its environment [FR-37]', async () => {
    vi.stubEnv('DRAGOMAN_TEST_API_KEY', 'sk-secret');
    onTestFinished(() => void vi.unstubAllEnvs());

    expect(await answer('return Object.keys(process.env).sort()', { env: { LC_ALL: 'C' } })).toEqual([
      'HOME',
      'LANG',
      'LC_ALL',
      'PATH',
      'PWD',
      'TMPDIR',
    ]);
  });

  test('what stands on its input is read, and need not be', async () => {
    const echo = await runScript('process.stdin.pipe(process.stdout)', { input: '{"name":"x"}\n' });
    const deaf = await runScript('console.log("done")', { input: 'x'.repeat(1_000_000) });

    expect(echo).toEqual({ exitCode: 0, stdout: '{"name":"x"}\n', stderr: '' });
    expect(deaf).toEqual({ exitCode: 0, stdout: 'done\n', stderr: '' });
  });

  test('the whole disk is not a folder that can be shown', async () => {
    await expect(runScript('1', { readOnly: ['/'] })).rejects.toThrow(
      'The sandbox cannot show the whole disk as one folder; name the folder that is needed.',
    );
  });
});

describe.skipIf(!hasSandbox)('the network (needs bubblewrap)', () => {
  test('a server on this machine cannot be reached, and names cannot be looked up [FR-37]', async () => {
    const { address, visits } = await listen({ port: 0, host: '127.0.0.1' });
    const { port } = address as { port: number };

    const { stdout } = await runScript(`
      const report = (what) => (error) => console.log(what, error?.code ?? 'reached');
      const { connect } = require('net');
      connect(${port}, '127.0.0.1', report('server')).on('error', report('server')).on('close', () =>
        connect(80, '192.0.2.1').on('error', report('outside')).on('close', () =>
          require('dns').lookup('example.com', report('name'))));
    `);

    expect(stdout).toBe('server ECONNREFUSED\noutside ENETUNREACH\nname EAI_AGAIN\n');
    expect(visits()).toBe(0);
  });

  test('nor can a socket in a folder that is not shown', async () => {
    const path = join(tempFolder(), 'door');
    const { visits } = await listen({ path });

    const { stdout } = await runScript(
      `require('net').connect(${JSON.stringify(path)}).on('error', ({ code }) => console.log(code))`,
    );

    expect(stdout).toBe('ENOENT\n');
    expect(visits()).toBe(0);
  });

  test.skipIf(!existsSync('/usr/bin/perl'))(
    'nor the host of a virtual machine, by sockets that know no namespace (needs perl)',
    async () => {
      const family = (number: number) => `socket(my $s${number}, ${number}, 1, 0) ? print "ok\\n" : print "$!\\n";`;

      const { stdout } = await runScript('', { command: ['/usr/bin/perl', '-e', family(40) + family(1) + family(2)] });

      expect(stdout).toBe('Address family not supported by protocol\nok\nok\n');
    },
  );
});

describe.skipIf(!hasSandbox)('limits (needs bubblewrap)', () => {
  const memory = { exitCode: null, endedBy: 'memory', reason: 'memory: used more than 128 MB' };

  test.each([
    ['buffers', 'const all = []; for (;;) all.push(Buffer.alloc(1e6, 1))'],
    ['text', 'const all = []; for (;;) all.push(Math.random() + "text")'],
    ['files', 'for (let n = 0; ; n++) fs.writeFileSync("/tmp/" + n, Buffer.alloc(1e6, 1))'],
    [
      'several processes',
      'const hold = "const b = Buffer.alloc(50e6, 1); setTimeout(() => {}, 60e3)"; for (let n = 0; n < 4; n++) require("child_process").spawn(process.execPath, ["-e", hold])',
    ],
  ])('memory that is eaten by %s ends it [FR-37]', async (_, code) => {
    expect(await runScript(code)).toMatchObject(memory);
  });

  test('a program that meets a limit before it is seen is ended for the same reason', async () => {
    const words = (text: string) => runScript(`console.error(${JSON.stringify(text)}); process.exit(1)`);

    expect(await words('RangeError: Array buffer allocation failed')).toMatchObject(memory);
    expect(await words('Error: spawn sleep EAGAIN')).toMatchObject({ endedBy: 'processes' });
  });

  test('processes that make processes end it, and none of them is left [FR-37]', async () => {
    const words = `sleep-${process.pid}`;
    // A tree of 500 at most, should everything else fail.
    const tree = `f() { [ $1 -gt 0 ] && { f $(($1-1)) & f $(($1-1)) & wait; } || exec -a ${words} sleep 60; }; f 8`;

    const result = await runScript('', { command: ['/bin/bash', '-c', tree] });

    expect(result).toMatchObject({
      exitCode: null,
      endedBy: 'processes',
      reason: 'too many processes: more than 8 at once',
    });
    expect(isRunning(words)).toBe(false);
  });

  test('a command is ended by what is in its sandbox, never by what runs beside it', async () => {
    const sandbox = await openSandbox();
    const few = { ...SMALL, maxProcesses: 1, cwd: '/', abort: new AbortController().signal };

    const results = [];
    for (let n = 0; n < 8; n++) results.push(await sandbox.run({ ...few, command: ['/bin/sleep', '0.07'] }));

    expect(results).toEqual(Array.from({ length: 8 }, () => ({ exitCode: 0, stdout: '', stderr: '' })));
  });

  test('time that is up ends it, with what it had said [FR-37]', async () => {
    const sandbox = await openSandbox();
    // A shell has said something long before that, on a busy machine too.
    const command = ['/bin/sh', '-c', 'echo begun; while :; do :; done'];
    const abort = new AbortController().signal;

    expect(await sandbox.run({ ...SMALL, timeoutMs: 3000, cwd: '/', abort, command })).toEqual({
      exitCode: null,
      stdout: 'begun\n',
      stderr: '',
      endedBy: 'timeout',
      reason: 'time: ran longer than 3 s',
    });
  });

  test('printing for ever ends it, with as much as is allowed', async () => {
    const result = await runScript('const print = () => process.stdout.write("x".repeat(1000), print); print()');

    expect(result).toMatchObject({ exitCode: null, endedBy: 'output', reason: 'output: printed more than 0.1 MB' });
    expect(result.stdout).toBe('x'.repeat(SMALL.maxOutputBytes));
  });

  test('what is called off ends, before it began and while it runs', async () => {
    const calledOff = { exitCode: null, endedBy: 'abort', reason: 'cancelled' };
    const controller = new AbortController();
    const sandbox = await openSandbox();
    const folder = tempFolder();
    execFileSync('mkfifo', [join(folder, 'started')]);
    const running = runScript(`fs.openSync('started', fs.constants.O_WRONLY); for (;;);`, {
      sandbox,
      abort: controller.signal,
      readOnly: [folder],
      cwd: folder,
    });
    await (await open(join(folder, 'started'))).close(); // Once somebody writes to it.
    controller.abort();

    expect(await running).toMatchObject(calledOff);
    expect(await runScript('for (;;);', { sandbox, abort: AbortSignal.abort() })).toMatchObject(calledOff);
  });

  test('what a command leaves behind ends with it', async () => {
    const words = `60.${process.pid}`;
    const { exitCode } = await runScript(
      `require('child_process').spawn('sleep', ['${words}'], { detached: true, stdio: 'ignore' }).unref()`,
    );

    expect(exitCode).toBe(0);
    await vi.waitUntil(() => !isRunning(words), { timeout: 120_000 });
  });
});

describe('where there is no sandbox, it is refused in words', () => {
  test.each([
    ['darwin', 'macOS'],
    ['win32', 'Windows'],
    ['freebsd', 'freebsd'],
  ] as const)('on %s [FR-37]', async (platform, name) => {
    const refusal = openSandbox({ platform });

    await expect(refusal).rejects.toBeInstanceOf(ToolError);
    await expect(refusal).rejects.toThrow(
      `Sandboxed skills are not available on ${name}: the sandbox is bubblewrap, which exists only for Linux. ` +
        'A skill that only gives instructions needs no sandbox: `mode: direct` in its SKILL.md makes it one.',
    );
  });

  test('without bubblewrap, with how to install it [FR-37]', async () => {
    const refusal = openSandbox({ platform: 'linux', searchPath: `${tempFolder()}:relative/bin:` });

    await expect(refusal).rejects.toBeInstanceOf(ToolError);
    await expect(refusal).rejects.toThrow(
      'The sandbox needs bubblewrap, and there is no `bwrap` on PATH. Install it: `apt-get install bubblewrap` (Debian, Ubuntu), ' +
        '`dnf install bubblewrap` (Fedora, RHEL), `pacman -S bubblewrap` (Arch).',
    );
  });

  /** A program in the place of bwrap. */
  function fakeBubblewrap(script: string): string {
    const folder = tempFolder();
    writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return folder;
  }

  test('where user namespaces are forbidden, with what bubblewrap said [FR-37]', async () => {
    const searchPath = fakeBubblewrap(
      '[ "$1" = --help ] && exit 0; echo "bwrap: No permissions to create new namespace" >&2; exit 1',
    );

    const place = { platform: 'linux', isRoot: false, kernel: '6.1.0', searchPath } as const;
    await expect(openSandbox(place)).rejects.toThrow(
      `The sandbox cannot be set up: ${searchPath}/bwrap does not work here (bwrap: No permissions to create new namespace). ` +
        'Mostly the system forbids user namespaces: allow them (sysctl kernel.unprivileged_userns_clone=1;',
    );
  });

  test('where bubblewrap cannot even be started', async () => {
    const searchPath = fakeBubblewrap('echo "bwrap: wrong machine" >&2; exit 126');

    await expect(openSandbox({ platform: 'linux', searchPath })).rejects.toThrow(
      `The sandbox cannot be set up: ${searchPath}/bwrap does not work here (bwrap: wrong machine).`,
    );
  });
});
