import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join, relative } from 'node:path';
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
  const place = { cwd, writable: [], network: false, ...rest };
  const { command, env, settle } = await sandbox.wrap(['/bin/sh', '-c', line], place);
  const ended = await new Promise<Ended>((resolve) => {
    execFile(command[0]!, command.slice(1), { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
  await settle();
  return ended;
}

/** Runs a line of shell in a project; gives back the names that things have now which were held back. */
async function heldBack(line: string, project: string): Promise<string[]> {
  const sandbox = await openSandbox();
  const wrapped = await sandbox.wrap(['/bin/bash', '-c', line], { cwd: project, writable: [project], network: false });
  await new Promise((resolve) => {
    execFile(wrapped.command[0]!, wrapped.command.slice(1), { env: wrapped.env }, resolve);
  });
  return (await wrapped.settle()).map(({ renamedTo }) => (renamedTo === undefined ? '' : relative(project, renamedTo)));
}

/** Files by their path, with what is in them; links as what they say, and empty folders too. */
function everythingIn(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (entry.isSymbolicLink()) found[name] = `-> ${readlinkSync(path)}`;
    else if (entry.isFile()) found[name] = readFileSync(path, 'utf8');
    else if (readdirSync(path).length === 0) found[name] = '(empty folder)';
  }
  return found;
}

/** A project of which files are given, links as `-> there`. */
function projectOf(files: Record<string, string>, root = tempFolder()): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    if (text.startsWith('-> ')) symlinkSync(text.slice(3), join(root, name));
    else writeFileSync(join(root, name), text);
  }
  return root;
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

  test('it does not see keys of the home folder nor the data folder', async () => {
    const home = tempFolder();
    const data = join(home, 'data');
    for (const folder of ['data', '.config', '.ssh', '.aws']) mkdirSync(join(home, folder));
    for (const file of [
      'data/dragoman.sqlite',
      '.ssh/id_rsa',
      '.aws/credentials',
      '.config/token',
      '.npmrc',
      'code.ts',
    ])
      writeFileSync(join(home, file), file);

    const { stdout } = await sh('find . -type f | sort; cat .npmrc', {
      writable: [home],
      options: { home, hidden: [data] },
    });

    expect(stdout).toBe('./.npmrc\n./code.ts\n');
  });

  describe('what other programs run or obey later, outside, it cannot change', () => {
    const GIT = { '.git/config': '[core]\n', '.git/HEAD': 'ref: refs/heads/main\n', 'src/a.ts': 'one' };
    const NESTED = { 'packages/x/.git/config': '[core]\n', 'packages/x/a.ts': 'one' };
    const TOOLS = { '.dragoman/tools/dice.js': 'good' };

    test.each<[trick: string, files: Record<string, string>, line: string]>([
      ['writing a hook', GIT, 'mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit'],
      ['writing the configuration', GIT, 'echo evil >> .git/config'],
      ['renaming .git and copying it', GIT, 'mv .git .git.old && cp -r .git.old .git; echo evil >> .git/config'],
      ['removing .git', GIT, 'rm -rf .git; mkdir .git; echo evil > .git/config'],
      ['exchanging .git', GIT, 'mkdir new; mv --exchange new .git; mv -T new .git; rmdir new'],
      ['a hard link out of .git', GIT, 'ln .git/config x; echo evil > x; [ "$(cat .git/config)" = "[core]" ]; rm x'],
      ['a link to .git', GIT, 'ln -s .git way; echo evil > way/config; rm way'],
      [
        'the parent of a repository deeper down',
        NESTED,
        'mv packages p2 && mkdir -p packages/x && cp -r p2/x packages/',
      ],
      [
        'the folder of a repository deeper down',
        NESTED,
        'mv packages/x packages/y; echo evil > packages/x/.git/config',
      ],
      ['a tool of the project', TOOLS, 'echo evil > .dragoman/tools/evil.js; echo evil > .dragoman/tools/dice.js'],
      [
        'tools by another parent',
        TOOLS,
        'mv .dragoman d; mkdir -p .dragoman/tools; echo evil > .dragoman/tools/evil.js',
      ],
      ['tools deeper down', { 'a/b/.dragoman/tools/x.js': 'good' }, 'echo evil > a/b/.dragoman/tools/x.js; mv a c'],
      ['hooks of Claude', { '.claude/settings.json': '{}' }, 'echo evil > .claude/settings.json'],
      ['tasks of VS Code', { '.vscode/tasks.json': '{}' }, 'echo evil > .vscode/tasks.json; rm -r .vscode'],
      ['hooks of husky', { '.husky/pre-commit': 'good' }, 'echo evil > .husky/pre-commit'],
      ['servers of agents', { '.mcp.json': '{}' }, 'echo evil > .mcp.json; echo evil > x; mv x .mcp.json; rm -f x'],
      ['another spelling', { 'a/.GIT/config': 'good' }, 'echo evil > a/.GIT/config; mv a b'],
      [
        'a .git that is a file',
        { '.git': 'gitdir: store\n', 'store/config': 'good' },
        'echo evil > store/config; echo gitdir: evil > .git',
      ],
      [
        'what worktrees share',
        { '.git': 'gitdir: w\n', 'w/commondir': '../c\n', 'c/config': 'good' },
        'echo evil > c/config; mv c d',
      ],
      [
        'a link in the place of .git',
        { '.git': '-> store', 'store/config': 'good' },
        'echo evil > store/config; mv store s2',
      ],
      [
        'hooks that are elsewhere',
        { '.git/config': '[core]\n\thooksPath = tools/hooks\n', 'tools/hooks/x': 'good' },
        'echo evil > tools/hooks/x; mv tools t',
      ],
      [
        'configuration that is included',
        { '.git/config': '[include]\n\tpath = ../team.gitconfig\n', 'team.gitconfig': 'good' },
        'echo evil > team.gitconfig',
      ],
      [
        'what an included file names',
        {
          '.git/config': '[include]\n\tpath = ../team/one\n',
          'team/one': '[include]\n\tpath = two\n',
          'team/two': '[core]\n\thooksPath = run\n',
          'run/pre-commit': 'good',
        },
        'echo evil > team/two; echo evil > run/pre-commit; mv run r',
      ],
      [
        'a link on the way to hooks',
        { '.git/config': '[core]\n\thooksPath = way/hooks\n', way: '-> far', 'far/hooks/x': 'good' },
        'rm way; mkdir -p way; rmdir way; ln -s . way; echo evil > far/hooks/x; mv far f; rm way; ln -s far way',
      ],
      ['hooks that are a link', { '.git/hooks': '-> ../scripts', 'scripts/x': 'good' }, 'echo evil > scripts/x'],
      ['tools that are a link', { '.dragoman/tools': '-> ../tools', 'tools/x.js': 'good' }, 'echo evil > tools/x.js'],
      [
        'a repository without .git',
        { 'docs/s/HEAD': 'x', 'docs/s/objects/k': '', 'docs/s/refs/k': '', 'docs/s/config': 'good' },
        'echo evil > docs/s/config; mv docs d',
      ],
      ['.git where there is none', { 'a.ts': 'one' }, 'mkdir .git; echo evil > .git/config; echo evil > .git'],
      ['.git by renaming', { 'a.ts': 'one' }, 'mkdir g; mv -T g .git; rmdir .git; rmdir g'],
      [
        'tools where there are none',
        { 'a.ts': 'one' },
        'mkdir -p .dragoman/tools; echo evil > .dragoman/tools/evil.js',
      ],
      [
        'all the others',
        { 'a.ts': 'one' },
        'for x in .claude .vscode .husky; do mkdir -p $x/y; echo evil > $x/settings.json; done',
      ],
    ])('%s', async (_, files, line) => {
      const project = projectOf(files);
      const before = everythingIn(project);

      await sh(line, { writable: [project] });

      expect(everythingIn(project)).toEqual(before);
    });

    test.each<[trick: string, files: Record<string, string>, line: string, heldBack: string]>([
      ['.git deeper down', { 'p/x/a': '' }, 'mkdir p/x/.git; echo evil > p/x/.git/config', 'p/x/.git.held-back/config'],
      [
        'tools deeper down',
        { 'p/a': '' },
        'mkdir -p p/.dragoman; echo evil > p/.dragoman/x.js',
        'p/.dragoman.held-back/x.js',
      ],
      ['a file of agents', {}, 'echo evil > .mcp.json', '.mcp.json.held-back'],
      ['a folder in a new folder', {}, 'mkdir -p a/.git; echo evil > a/.git/config; mv a b', 'b/.git.held-back/config'],
      ['a second one', { 'a/.git.held-back': 'first' }, 'echo evil > a/.git', 'a/.git.held-back-2'],
      [
        'a link replaced',
        { 'a/.git': '-> ../../far' },
        'rm a/.git; mkdir a/.git; echo evil > a/.git/config',
        'a/.git.held-back/config',
      ],
      ['a link turned', { 'a/.git': '-> ../../far' }, 'echo evil > e; ln -sfn ../e a/.git', 'e'],
      [
        'hooks that are named and absent',
        { '.git/config': '[core]\n\thooksPath = hooks\n' },
        'mkdir hooks; echo evil > hooks/x',
        'hooks.held-back/x',
      ],
      [
        'hooks in a folder that is absent',
        { '.git/config': '[core]\n\thooksPath = a/b/hooks\n' },
        'mkdir -p a/b/hooks; echo evil > a/b/hooks/x',
        'a/b/hooks.held-back/x',
      ],
      [
        'a folder whose name is no text',
        {},
        `d=$(printf 'd\\377'); mkdir -p "$d/.vscode"; echo evil > "$d/.vscode/tasks.json"`,
        'd\uFFFD.held-back/.vscode.held-back/tasks.json',
      ],
      [
        'a folder that may not be changed',
        {},
        'mkdir -p a/.vscode; echo evil > a/.vscode/tasks.json; chmod 555 a',
        'a/.vscode.held-back/tasks.json',
      ],
      [
        'a new repository without .git',
        {},
        'mkdir -p s/objects s/refs; echo x > s/HEAD; echo evil > s/config',
        's/config.held-back',
      ],
    ])('what appears there while it runs is renamed when it has ended: %s', async (_, files, line, heldBack) => {
      const project = projectOf(files);
      const before = everythingIn(project);

      await sh(line, { writable: [project] });

      const after = everythingIn(project);
      expect(after).toMatchObject(before);
      const evil = Object.keys(after).filter((name) => after[name] === 'evil\n');
      expect(evil).toEqual([heldBack]);
    });

    test('a link by which hooks are found is put back, and a new one is renamed', async () => {
      const project = projectOf({
        '.git/config': '[core]\n\thooksPath = old/hooks\n[include]\n\tpath = ../new/config\n',
        old: '-> real',
        'real/hooks/x': 'good',
      });

      const held = await heldBack('mkdir evil; ln -sfn evil old; ln -s evil new', project);

      expect(held.toSorted()).toEqual(['new.held-back', 'old.held-back']);
      expect(readlinkSync(join(project, 'old'))).toBe('real');
      expect(existsSync(join(project, 'new'))).toBe(false);
    });

    test('a folder that is too deep to be looked into is renamed as a whole, and cannot be changed by the next command', async () => {
      const project = tempFolder();
      const deep = 'n=$(printf "%0200d" 0); for i in $(seq 25); do mkdir $n && cd -P $n || exit; done';

      const held = await heldBack(`${deep}; mkdir .vscode; echo evil > .vscode/tasks.json`, project);
      const again = await sh('mv 0* moved', { writable: [project] });

      expect(held).toEqual([expect.stringMatching(/^(?:0{200}\/)+0{200}\.held-back$/)]);
      expect(again.stderr).toContain('Device or resource busy');
    });

    test('in a folder whose name is no text nothing can be protected: the folder around it is read-only', async () => {
      const project = tempFolder();
      const strange = Buffer.concat([Buffer.from(`${project}/a/b`), Buffer.from([0xff])]);
      mkdirSync(join(project, 'a'));
      mkdirSync(strange);
      writeFileSync(Buffer.concat([strange, Buffer.from('/.envrc')]), 'good');

      const { stderr } = await sh(`cd a/b* && echo evil > .envrc`, { writable: [project] });

      expect(stderr).toContain('Read-only file system');
    });

    test('a link outside is not put back, nor anything renamed there, through a folder that was replaced', async () => {
      const around = projectOf({
        'app/x/.claude': '-> app/evil',
        'app/x/app': '-> ../real',
        'app/real/evil/k': '',
        'app/evil/settings.json': 'evil',
        'app/.git/config': '[core]\n\thooksPath = y/hooks\n',
        'app/y/k': '',
        'other/hooks/mine': 'good',
      });
      const before = everythingIn(around);

      await sh('mv x x2; ln -sn .. x; mv y y2; ln -sn ../other y; rm -f x/.. y/other', {
        writable: [join(around, 'app')],
      });
      const after = everythingIn(around);
      await sh('rm -r x y; ln -s .. x; ln -s ../other y', { writable: [join(around, 'app')] });

      expect(after).toEqual(before);
      expect(Object.keys(everythingIn(around)).filter((name) => !name.startsWith('app/'))).toEqual([
        'other/hooks/mine',
      ]);
    });

    test('what another program takes away meanwhile and the command makes anew is renamed', async () => {
      const project = projectOf({ 'a.ts': 'one' });
      mkdirSync(join(project, '.vscode')); // As another Dragoman leaves it there for as long as a command of its own runs.
      const sandbox = await openSandbox();
      const { settle } = await sandbox.wrap(['true'], { cwd: project, writable: [project], network: false });

      rmdirSync(join(project, '.vscode'));
      mkdirSync(join(project, '.vscode'));
      writeFileSync(join(project, '.vscode', 'tasks.json'), 'evil');

      expect(await settle()).toEqual([
        { path: join(project, '.vscode'), renamedTo: join(project, '.vscode.held-back') },
      ]);
    });

    test.each<[swap: string, line: string]>([
      ['a folder above something protected', 'mv x moved; ln -s ../outside x'],
      ['one that is deeper', 'mv x/y moved; ln -s ../../outside/y x/y'],
      ['something protected', 'mv x/y/.envrc moved; ln -s ../../../outside/y/.envrc x/y/.envrc'],
    ])('nothing runs where another command has replaced %s after all was looked at', async (_, line) => {
      const around = mkdtempSync('/var/tmp/dragoman-'); // Where what is outside is seen from inside.
      onTestFinished(() => rmSync(around, { recursive: true }));
      projectOf({ 'my app/x/y/.envrc': 'good', 'outside/y/.envrc': 'good' }, around);
      const project = join(around, 'my app');
      const sandbox = await openSandbox();
      const evil = 'for f in x/k x/y/k ../outside/k; do echo evil > $f; done; echo was here';
      const { command, env, settle } = await sandbox.wrap(['/bin/sh', '-c', evil], {
        cwd: project,
        writable: [project],
        network: false,
      });
      execFileSync('/bin/sh', ['-c', line], { cwd: project });

      const { stdout, stderr } = spawnSync(command[0]!, command.slice(1), { env, encoding: 'utf8' });
      await settle();

      expect(stdout).toBe('');
      expect(stderr).toBe('A folder was replaced while the sandbox was made, so nothing was run. Try again.\n');
      expect(everythingIn(join(around, 'outside'))).toEqual({ 'y/.envrc': 'good' });
    });

    test('not by naming such a folder as one it may change', async () => {
      const project = projectOf(GIT);

      const { stderr } = await sh('echo evil > .git/config', { writable: [project, join(project, '.git')] });

      expect(stderr).toContain('Read-only file system');
    });

    test('not while another command that began later has ended already', async () => {
      const project = tempFolder();
      const sandbox = await openSandbox();
      const place = { cwd: project, writable: [project], network: false };
      const line = 'until [ -e go ]; do sleep 0.01; done; echo evil > .git/config; mkdir -p .git';
      const { command, env, settle } = await sandbox.wrap(['/bin/sh', '-c', line], place);
      const child = spawn(command[0]!, command.slice(1), { env, stdio: 'ignore' });
      const closed = new Promise((resolve) => child.on('close', resolve));

      await sh('touch go', { writable: [project] });
      await closed;
      expect(await settle()).toEqual([]);

      expect(everythingIn(project)).toEqual({ go: '' });
    });

    test('what the person makes there meanwhile stays', async () => {
      const project = tempFolder();
      const sandbox = await openSandbox();
      const { settle } = await sandbox.wrap(['true'], { cwd: project, writable: [project], network: false });
      writeFileSync(join(project, '.git', 'config'), 'mine');

      expect(await settle()).toEqual([]);

      expect(everythingIn(project)).toEqual({ '.git/config': 'mine' });
    });

    test('what is made while the program that runs it is killed is renamed by the next one', async () => {
      const [project, notes] = [projectOf({ 'a/.vscode/tasks.json': 'good' }), tempFolder()];
      const place = { cwd: project, writable: [project], network: false };
      const sandbox = await openSandbox({ notes });
      await sandbox.wrap(['true'], place);
      const killed = join(notes, readdirSync(notes)[0]!);
      const running = await sandbox.wrap(['true'], place);
      writeFileSync(join(project, '.envrc'), 'evil');
      const gone = spawnSync('true').pid;
      writeFileSync(killed, readFileSync(killed, 'utf8').replace(`"pid":${process.pid}`, `"pid":${gone}`));

      await openSandbox({ notes });

      expect(everythingIn(project)).toEqual({ 'a/.vscode/tasks.json': 'good', '.envrc.held-back': 'evil' });
      expect([existsSync(killed), readdirSync(notes).length]).toEqual([false, 1]);
      await running.settle();
      expect(readdirSync(notes)).toEqual([]);
    });

    test('git can look, and says that it cannot commit', async () => {
      const project = projectOf({ 'a.ts': 'one\n' });
      const git = (...args: string[]) => execFileSync('git', args, { cwd: project, encoding: 'utf8' });
      git('init', '-q', '-b', 'main');
      git('add', '.');
      git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-qm', 'first');
      const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' };

      const looked = await sh('echo two >> a.ts; git status --short && git diff --stat && git log --format=%s', {
        writable: [project],
        env,
      });
      const committed = await sh('git commit -qam second', { writable: [project], env });

      expect(looked).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^ M a\.ts\n[^]*first\n$/) as string,
        stderr: '',
      });
      expect(committed.code).toBe(128);
      expect(committed.stderr).toMatch(/Unable to create '.*\/\.git\/index\.lock': Read-only file system/);
    });
  });

  test('it has the network only when it is allowed', async () => {
    const server = createServer((_, response) => response.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const ask = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf "GET / HTTP/1.0\\r\\n\\r\\n" >&3 && tail -n 1 <&3`;
    const get = `bash -c '${ask}' 2>/dev/null || echo refused`;

    expect((await sh(get, { network: false })).stdout).toBe('refused\n');
    expect((await sh('cat /proc/net/unix | wc -l', { network: false })).stdout.trim()).toBe('1'); // The line of titles.
    expect((await sh(get, { network: true })).stdout).toBe('hello');
  });

  test('without the network it does not see the files that programs listen on', async () => {
    const folder = tempFolder();
    const path = join(folder, 'with space.sock');
    const server = createServer((_, response) => response.end('hello'));
    await new Promise<void>((resolve) => server.listen(path, resolve));
    onTestFinished(() => void server.close());
    const look = `[ -S '${path}' ] && echo socket || echo none`;

    expect((await sh(look, { network: false, writable: [folder] })).stdout).toBe('none\n');
    expect((await sh(look, { network: true, writable: [folder] })).stdout).toBe('socket\n');
  });

  test('the environment it gets is without keys, and its temporary folder is empty', async () => {
    const env = { PATH: '/usr/bin:/bin', GREETING: 'hello', OPENAI_API_KEY: 'sk-secret', DRAGOMAN_HOME: '/srv' };

    // Also where the home folder of the person lies in the temporary folder of the machine.
    const home = mkdtempSync('/tmp/dragoman-home-');
    onTestFinished(() => rmSync(home, { recursive: true }));
    mkdirSync(join(home, '.ssh'));

    const { stdout } = await sh('env | sort; ls -A /tmp /run', { env, options: { home } });

    expect(stdout.split('\n').filter((line) => !/^(PWD|_|OLDPWD|SHLVL)=/.test(line))).toEqual([
      'GIT_OPTIONAL_LOCKS=0',
      'GREETING=hello',
      'PATH=/usr/bin:/bin',
      'TMPDIR=/tmp',
      '/run:',
      '',
      '/tmp:',
      '',
    ]);
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
