import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openSandbox, type SandboxOptions, type SandboxWrap } from './open-sandbox.ts';
import { hasSandbox } from './sandbox.fixture.ts';

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a line of shell in a wrapped bash. */
async function sh(line: string, wrap: Partial<SandboxWrap> & { options?: SandboxOptions } = {}): Promise<Ended> {
  const { options, ...rest } = wrap;
  const sandbox = await openSandbox(options);
  const cwd = rest.writable?.[0] ?? '/';
  const { command, env } = await sandbox.wrap(['/bin/sh', '-c', line], { cwd, writable: [], network: false, ...rest });
  return new Promise((resolve) => {
    execFile(command[0]!, command.slice(1), { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe.skipIf(!hasSandbox)('a command of the machine itself (needs bubblewrap)', () => {
  test('it changes the project and nothing else', async () => {
    const project = tempFolder();
    const other = tempFolder();

    const inside = await sh('pwd; echo new > a.txt', { writable: [project] });
    const outside = await sh('echo new > /usr/a.txt', { writable: [project] });
    await sh(`echo new > ${other}/a.txt`, { writable: [project] });

    expect(inside).toEqual({ code: 0, stdout: `${project}\n`, stderr: '' });
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('new\n');
    expect(outside.stderr).toContain('Read-only file system');
    expect(existsSync(join(other, 'a.txt'))).toBe(false);
  });

  test('it does not see keys of the home folder nor the data folder, unless what is asked for is in there', async () => {
    const home = tempFolder();
    const data = join(home, 'data');
    const skills = join(home, '.config', 'dragoman', 'skills');
    for (const folder of [data, skills, join(home, '.ssh'), join(home, '.aws')]) mkdirSync(folder, { recursive: true });
    for (const file of [
      'data/dragoman.sqlite',
      '.ssh/id_rsa',
      '.aws/credentials',
      '.config/token',
      '.npmrc',
      'code.ts',
    ])
      writeFileSync(join(home, file), file);
    writeFileSync(join(skills, 'SKILL.md'), 'a skill');

    const { stdout } = await sh(`find . -type f | sort; cat ${skills}/SKILL.md .npmrc`, {
      writable: [home],
      readOnly: [skills],
      options: { home, hidden: [data] },
    });

    expect(stdout).toBe('./.config/dragoman/skills/SKILL.md\n./.npmrc\n./code.ts\na skill');
  });

  test('what git would run later, outside, it cannot write', async () => {
    const project = tempFolder();
    mkdirSync(join(project, '.git', 'hooks'), { recursive: true });
    writeFileSync(join(project, '.git', 'config'), '[core]\n');

    const { stderr } = await sh('echo x > .git/hooks/pre-commit; echo x > .git/config; echo x > .git/HEAD', {
      writable: [project],
    });

    expect(stderr.match(/Read-only file system/g)).toHaveLength(2);
    expect(readFileSync(join(project, '.git', 'HEAD'), 'utf8')).toBe('x\n');
  });

  test('it has the network only when it is allowed', async () => {
    const server = createServer((_, response) => response.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const ask = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf "GET / HTTP/1.0\\r\\n\\r\\n" >&3 && tail -n 1 <&3`;
    const get = `bash -c '${ask}' 2>/dev/null || echo refused`;

    expect((await sh(get, { network: false })).stdout).toBe('refused\n');
    expect((await sh(get, { network: true })).stdout).toBe('hello');
  });

  test('the environment it gets is without keys, and its temporary folder is empty', async () => {
    const env = { PATH: '/usr/bin:/bin', GREETING: 'hello', OPENAI_API_KEY: 'sk-secret', DRAGOMAN_HOME: '/srv' };

    // Also where the home folder of the person lies in the temporary folder of the machine.
    const home = mkdtempSync('/tmp/dragoman-home-');
    onTestFinished(() => rmSync(home, { recursive: true }));
    mkdirSync(join(home, '.ssh'));

    const { stdout } = await sh('env | sort; ls -A /tmp /run', { env, options: { home } });

    expect(stdout.split('\n').filter((line) => !/^(PWD|_|OLDPWD|SHLVL)=/.test(line))).toEqual([
      'GREETING=hello',
      'PATH=/usr/bin:/bin',
      'TMPDIR=/tmp',
      '/run:',
      '',
      '/tmp:',
      '',
    ]);
  });

  test('files in a temporary folder that is given last from one command to the next', async () => {
    const temp = tempFolder();

    await sh('echo kept > /tmp/note', { temp });

    expect((await sh('cat /tmp/note', { temp })).stdout).toBe('kept\n');
    expect(readFileSync(join(temp, 'note'), 'utf8')).toBe('kept\n');
  });

  test('killing what was started ends everything in it', async () => {
    const project = tempFolder();
    const sandbox = await openSandbox();
    const { command, env } = await sandbox.wrap(['/bin/sh', '-c', 'sleep 600 & echo $! > started; wait'], {
      cwd: project,
      writable: [project],
      network: false,
    });
    const child: ChildProcess = spawn(command[0]!, command.slice(1), { env, stdio: ['ignore', 'pipe', 'ignore'] });
    await vi.waitUntil(() => existsSync(join(project, 'started')), { timeout: 120_000 });
    const closed = new Promise((resolve) => child.on('close', resolve));

    child.kill('SIGKILL');

    // The pipe closes when the last process that holds it is gone.
    await expect(closed).resolves.toBe(null);
  });
});
