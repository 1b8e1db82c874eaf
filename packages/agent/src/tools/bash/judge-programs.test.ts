import { compilePermissions, rulesFromConfig } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { decideCall } from '../../permissions/decide-call.ts';
import { defaultRules } from '../../permissions/default-rules.ts';
import { agentConfig, testAgent } from '../../open-agent.fixture.ts';
import { calls, says, scriptedModel } from '../../scripted-model.fixture.ts';
import { ToolError } from '../tool.ts';
import { testBash, testContext } from './bash.fixture.ts';

/** A project, and a program that leaves a mark outside of it. */
function hostileProject() {
  const base = realpathSync(tempFolder());
  const [root, mark, evil] = [join(base, 'app'), join(base, 'mark'), join(base, 'evil.sh')];
  mkdirSync(root);
  writeFileSync(evil, `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: root, stdio: 'pipe' });
  const write = (files: Record<string, string>) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content, { mode: 0o755 });
    }
  };
  write({ 'a.txt': 'one\n', 'sub/b.txt': 'one\n' });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'first');
  return { root, mark, evil, git, write };
}

/** A folder that git takes for a repository, with a monitor of its own. */
function commitRepository({ write, evil }: ReturnType<typeof hostileProject>): void {
  write({
    'docs/repo/HEAD': 'ref: refs/heads/main\n',
    'docs/repo/objects/k': '',
    'docs/repo/refs/k': '',
    'docs/work/k': '',
    'docs/repo/config': `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ../work\n\tfsmonitor = ${evil}\n`,
  });
}

function commandSubject(value: string) {
  return { kind: 'command' as const, value };
}

/** What becomes of a command by the rules, in a project, with a search path. */
async function decided(
  command: string,
  {
    root,
    path = process.env['PATH'] ?? '',
    env = {},
    config = {},
  }: { root: string; path?: string; env?: Record<string, string>; config?: object },
) {
  const { bash } = testBash({ env: { PATH: path, ...env } });
  const permissions = compilePermissions([
    ...defaultRules(),
    ...rulesFromConfig(config as Parameters<typeof rulesFromConfig>[0], 'dragoman.json'),
  ]);
  const subjects = await bash.subjects!({ command }, testContext({ cwd: root }));
  return decideCall({ tool: 'bash', subjects }, permissions, 'interactive');
}

test('in an ordinary project what only looks is allowed', async () => {
  const { root } = hostileProject();
  for (const command of [
    'ls',
    'git status',
    'cd sub && git log -1 && ls',
    'timeout 5 git diff',
    'git --version',
    'git diff HEAD~1 -- sub',
    'for d in a b; do (cd sub && git log -3); done',
    'for i in 1 2; do echo again; done; git status',
    'if [ -f a.txt ]; then git log -1; fi',
    'n=0; ((n++)); [[ 3 -gt 2 ]] && git status',
    'show() { git log -1; }; show_all=1; git status',
  ])
    expect([command, await decided(command, { root })]).toEqual([command, { action: 'allow' }]);
});

test('in an ordinary project what a person allowed is allowed however it is put together', async () => {
  const { root } = hostileProject();
  const config = { bash: { 'head *': 'allow', 'wc *': 'allow', 'rg *': 'allow' } };
  for (const command of ['ls -la sub | head', 'for f in *.txt; do wc -l "$f"; done', 'cd sub && rg foo . | wc -l'])
    expect([command, await decided(command, { root, config })]).toEqual([command, { action: 'allow' }]);
});

test.each([
  ['ls', (root: string) => join(root, 'node_modules/.bin')],
  ['git status', (root: string) => join(root, 'node_modules/.bin')],
  ['timeout 5 ls', (root: string) => join(root, 'node_modules/.bin')],
  ['ls', () => 'node_modules/.bin'],
  ['ls', () => './node_modules/.bin'],
  ['cd node_modules && ls', () => '.bin'],
  ['cd node_modules/.bin && ls', () => ''],
])('%s is asked about where the search path leads into the project', async (command, entry) => {
  const { root, write } = hostileProject();
  const name = command
    .split(/ && | \d /)
    .at(-1)!
    .split(' ')[0]!;
  const path = [entry(root), process.env['PATH']].join(delimiter);
  expect(await decided(command, { root, path })).toEqual({ action: 'allow' });

  const shadowing = command.startsWith('timeout') ? 'timeout' : name;
  write({ [`node_modules/.bin/${shadowing}`]: '#!/bin/sh\n' });

  expect(await decided(command, { root, path })).toMatchObject({
    action: 'ask',
    reason: expect.stringMatching(` because "${shadowing}" is a program of the project\\.$`),
  });
});

test.each([
  ['BASH_ENV', '.bashenv'],
  ['LD_PRELOAD', '/usr/lib/a.so ./evil.so'],
  ['LD_LIBRARY_PATH', '/usr/lib:'],
])('nothing is allowed by default where %s=%s leads into the project', async (name, value) => {
  const { root } = hostileProject();
  expect(await decided('pwd', { root, env: { [name]: '/usr/lib' } })).toEqual({ action: 'allow' });
  expect(await decided('pwd', { root, env: { [name]: value } })).toMatchObject({
    action: 'ask',
    reason: `Asks because ${name} leads into the project.`,
  });
});

test('the shell itself is never one of the project', async () => {
  const { root, write, mark } = hostileProject();
  write({ 'node_modules/.bin/bash': `#!/bin/sh\ntouch '${mark}'\n` });
  const { bash } = testBash({ env: { PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter) } });

  expect((await bash.execute({ command: 'echo hello' }, testContext({ cwd: root }))).output).toBe('hello');
  expect(existsSync(mark)).toBe(false);
});

test('git is asked about where a version manager stands in for it', async () => {
  const { root, write } = hostileProject();
  write({ '../shims/git': '#!/bin/sh\n' });
  const path = [join(root, '..', 'shims'), process.env['PATH']].join(delimiter);

  for (const command of ['git status', 'cd sub && git log -1', 'git --version'])
    expect(await decided(command, { root, path })).toMatchObject({
      action: 'ask',
      reason: expect.stringContaining('because files of the project decide which "git" runs') as string,
    });
});

test('a version is not asked of a program that a version manager stands in for', async () => {
  const { root, write } = hostileProject();
  const shims = join(root, '..', 'shims');
  write({ '../shims/node': '#!/bin/sh\n' });
  const path = [shims, process.env['PATH']].join(delimiter);

  expect(await decided('node --version', { root, path })).toMatchObject({
    action: 'ask',
    reason: 'Asks because files of the project decide which "node" runs.',
  });
  rmSync(join(shims, 'node'));
  symlinkSync('/bin/sh', join(shims, 'node'));
  expect(await decided('node --version', { root, path })).toMatchObject({ action: 'ask' });
});

test('git is asked about where the repository sets a program for diffs, and a rule of the user allows it', async () => {
  const { root, git, evil } = hostileProject();
  git('config', 'diff.external', evil);

  expect(await decided('git diff', { root })).toMatchObject({
    action: 'ask',
    reason: 'Asks because the repository sets diff.external.',
    always: [{ pattern: 'git diff' }],
  });
  expect(await decided('ls && pwd', { root })).toEqual({ action: 'allow' });
  expect(await decided('git diff', { root, config: { bash: { 'git *': 'allow' } } })).toEqual({ action: 'allow' });
});

test('git is asked about where nobody can tell in which folder it would run', async () => {
  const { root } = hostileProject();
  const config = { bash: { 'cd *': 'allow' } };

  for (const command of ['cd "$D" && git status', 'pwd() { git status; }; cd sub && pwd'])
    expect(await decided(command, { root, config })).toMatchObject({
      action: 'ask',
      reason: expect.stringContaining('because it is unclear in which folder git would run') as string,
    });
});

test('what stands in the words of another command is not taken for a command', async () => {
  const { bash } = testBash();
  const { root, git, evil } = hostileProject();
  git('config', 'diff.external', evil);
  const subjects = await bash.subjects!(
    { command: 'echo git diff; git diff; echo not git diff' },
    testContext({ cwd: root }),
  );

  expect(subjects.filter(({ deniedAs }) => deniedAs === undefined)).toEqual([
    { kind: 'command', value: 'echo git diff' },
    { kind: 'command', value: 'git diff', beyondDefaults: 'the repository sets diff.external' },
    { kind: 'command', value: 'echo not git diff' },
  ]);
});

test.each([
  [{ command: 'ls', workdir: '.git' }, '.git'],
  [{ command: 'ls', workdir: 'sub/../.git/refs' }, '.git/refs'],
  [{ command: 'ls', workdir: 'link' }, '.git/refs'],
])('%j is asked about as is a look into that folder', async (input, folder) => {
  const { root } = hostileProject();
  symlinkSync('.git/refs', join(root, 'link'));
  const subjects = await testBash().bash.subjects!(input, testContext({ cwd: root }));

  expect(subjects).toContainEqual({ kind: 'path', value: folder });
  expect(decideCall({ tool: 'bash', subjects }, compilePermissions(defaultRules()), 'interactive')).toMatchObject({
    action: 'ask',
  });
});

test('git is asked as little as can be: three times before the decision, three times when it runs, for each folder', async () => {
  const { root } = hostileProject();
  const [home, traces] = [join(root, '..', 'home'), join(root, '..', 'traces')];
  for (const folder of [home, traces]) mkdirSync(folder);
  writeFileSync(join(home, '.gitconfig'), `[trace2]\n\teventTarget = ${traces}\n`);
  const { bash } = testBash({ env: { HOME: home } });
  const context = testContext({ cwd: root, byDefault: ['git status', 'git log -1'].map(commandSubject) });
  const asked = () => {
    const count = readdirSync(traces).length;
    for (const name of readdirSync(traces)) rmSync(join(traces, name));
    return count;
  };
  const command = 'git status && git log -1 && git status';

  await bash.subjects!({ command }, context);
  expect(asked()).toBe(3);
  await bash.execute({ command }, context);
  expect(asked()).toBe(3 + 3);
});

/** One call of bash by a model that does what it is told, where nobody can be asked. */
async function ran(
  command: string,
  root: string,
  { mode = 'headless', rules = {} }: { mode?: 'headless' | 'yes'; rules?: Record<string, 'allow'> } = {},
) {
  const config = agentConfig({ permissions: { bash: rules } });
  const { agent } = await testAgent(scriptedModel([calls(['bash', { command }]), says('done')]), {
    mode,
    root,
    config: () => config,
  });
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'go' });
  await runner.idle();
  return runner.state.messages.flatMap(({ parts }) => parts).find((part) => part.type === 'tool')!.state;
}

test.each([
  [
    'a monitor',
    'git status',
    (project: ReturnType<typeof hostileProject>) => project.git('config', 'core.fsmonitor', project.evil),
  ],
  [
    'a filter',
    'git status && git diff',
    ({ git, evil, write }: ReturnType<typeof hostileProject>) => {
      git('config', 'filter.x.clean', evil);
      write({ '.gitattributes': '*.txt filter=x\n', 'a.txt': 'two\n' });
    },
  ],
  ['a repository that somebody committed', 'cd docs/repo && git status', commitRepository],
])('%s of the repository does not run with %s, which nobody was asked about', async (_, command, prepare) => {
  const project = hostileProject();
  prepare(project);
  execFileSync('/bin/sh', ['-c', `${command} >/dev/null 2>&1 || true`], { cwd: project.root });
  expect(existsSync(project.mark)).toBe(true);
  rmSync(project.mark);

  for (const mode of ['headless', 'yes'] as const)
    expect(await ran(command, project.root, { mode })).toMatchObject({ status: 'completed' });

  expect(existsSync(project.mark)).toBe(false);
});

test('git is asked about where it would show what it cannot read of a repository inside', async () => {
  const { root, git, write } = hostileProject();
  git('init', '--quiet', 'inner');
  git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},inner`);
  expect(await decided('git status', { root })).toEqual({ action: 'allow' });
  write({ '.env': 'KEY=secret\n', 'inner/.git/HEAD': 'ref: refs/heads/none\n' });
  symlinkSync('../../.env', join(root, 'inner/.git/packed-refs'));
  expect(() => git('status')).toThrow('unexpected line in inner/.git/packed-refs: KEY=secret');

  for (const command of ['git status', 'git status --short', 'git diff'])
    expect(await decided(command, { root })).toMatchObject({
      action: 'ask',
      reason: expect.stringMatching(/ because it is unclear what has changed\.$/),
    });
  expect(await decided('git log -1', { root })).toEqual({ action: 'allow' });
});

test('a diff in which a file with secrets stands is asked about, and others are not', async () => {
  const { root, git, write } = hostileProject();
  write({ '.env': 'KEY=\n', 'config/.env.local': 'KEY=\n' });
  git('add', '--all');
  git('commit', '--quiet', '-m', 'to be filled in');
  write({ 'a.txt': 'two\n' });
  expect(await decided('git diff', { root })).toMatchObject({ action: 'allow' });

  write({ '.env': 'KEY=mine\n' });
  for (const command of ['git diff', 'git diff HEAD', 'git diff --stat -p', 'git status -vv', 'cd sub && git diff'])
    expect(await decided(command, { root })).toMatchObject({
      action: 'ask',
      reason: expect.stringContaining('it would show .env, which is made to hold secrets') as string,
    });
  for (const command of ['git status', 'git log -p'])
    expect(await decided(command, { root })).toMatchObject({ action: 'allow' });

  git('config', 'status.showUntrackedFiles', 'bogus');
  expect(await decided('git diff', { root })).toMatchObject({
    action: 'ask',
    reason: expect.stringContaining('it is unclear what has changed') as string,
  });
  git('config', '--unset', 'status.showUntrackedFiles');

  git('checkout', '.env');
  write({ 'config/.env.local': 'KEY=mine\n' });
  git('add', '--all');
  expect(await decided('git diff --cached', { root })).toMatchObject({ action: 'ask' });
});

test('a repository that somebody committed is none, whatever is allowed', async () => {
  const project = hostileProject();
  commitRepository(project);
  const lines = ['cd docs/repo && git add .', 'git -C docs/repo status', 'cd docs/repo && git status'];
  for (const line of lines) {
    execFileSync('/bin/sh', ['-c', `${line} >/dev/null 2>&1 || true`], { cwd: project.root });
    expect(existsSync(project.mark)).toBe(true);
    rmSync(project.mark);

    const state = await ran(line, project.root, { rules: { 'git *': 'allow' } });

    expect(state).toMatchObject({
      status: 'completed',
      output: expect.stringContaining('cannot use bare repository') as string,
    });
    expect(existsSync(project.mark)).toBe(false);
  }
});

test('a rule with wildcards does not let git run what the repository sets, where a default would do', async () => {
  const { root, git, evil, mark } = hostileProject();
  git('config', 'core.fsmonitor', evil);

  await ran('git status', root, { rules: { 'git *': 'allow' } });
  expect(existsSync(mark)).toBe(false);
  await ran('git status', root, { rules: { 'git status': 'allow' } });
  expect(existsSync(mark)).toBe(true);
});

test('what a person allowed runs as in their own terminal', async () => {
  const { bash } = testBash();
  const { root, git, evil, mark } = hostileProject();
  git('config', 'core.fsmonitor', evil);
  const subject = { kind: 'command', value: 'git status' } as const;

  await bash.execute({ command: 'git status' }, testContext({ cwd: root, byDefault: [subject] }));
  expect(existsSync(mark)).toBe(false);
  await bash.execute({ command: 'git status' }, testContext({ cwd: root, byDefault: [] }));
  expect(existsSync(mark)).toBe(true);
});

test.each(['node_modules/.bin', '.', ''])(
  'what the user has set up for git is found outside of the project, though the search path begins with "%s"',
  async (entry) => {
    const { root, write, mark } = hostileProject();
    const config = join(root, '..', 'user.config');
    writeFileSync(config, '[filter "lfs"]\n\tclean = git-lfs clean\n');
    write({ '.gitattributes': '*.txt filter=lfs\n', 'a.txt': 'two\n' });
    write({ [join(entry, 'git-lfs')]: `#!/bin/sh\ntouch '${mark}'\n` });
    const PATH = [entry, process.env['PATH']].join(delimiter);
    const { bash } = testBash({ env: { PATH, GIT_CONFIG_GLOBAL: config } });
    const run = (byDefault: string[]) =>
      bash.execute({ command: 'git diff' }, testContext({ cwd: root, byDefault: byDefault.map(commandSubject) }));
    await run([]);
    expect(existsSync(mark)).toBe(true);
    rmSync(mark);

    await run(['git diff']);

    expect(existsSync(mark)).toBe(false);
  },
);

test('a repository that became dangerous after the decision is asked about again', async () => {
  const { bash } = testBash();
  const { root, git, write, evil, mark } = hostileProject();
  git('config', 'diff.external', evil);
  write({ 'a.txt': 'two\n' });
  let isAllowed = false;
  const context = testContext({
    cwd: root,
    byDefault: [commandSubject('git diff')],
    isPermitted: (subjects) => isAllowed || subjects.every(({ beyondDefaults }) => beyondDefaults === undefined),
    ask: (subjects) => {
      expect(subjects).toContainEqual({
        ...commandSubject('git diff'),
        beyondDefaults: 'the repository sets diff.external',
      });
      if (existsSync(join(root, 'yes'))) isAllowed = true;
      else throw new ToolError('No.');
      return Promise.resolve();
    },
  });

  await expect(bash.execute({ command: 'git diff' }, context)).rejects.toThrow('No.');
  expect(existsSync(mark)).toBe(false);
  write({ yes: '' });
  await bash.execute({ command: 'git diff' }, context);
  expect(existsSync(mark)).toBe(true);
});

test('a command runs in the folder that was permitted, wherever its name leads by then', async () => {
  const { bash } = testBash();
  const { root, write } = hostileProject();
  write({ 'one/a.txt': '', '../two/b.txt': '' });
  symlinkSync('one', join(root, 'link'));
  const moved = (name: string) =>
    testContext({
      cwd: root,
      isPermitted: () => {
        renameSync(join(root, name), join(root, `${name}-before`));
        symlinkSync('../two', join(root, name));
        return true;
      },
    });

  expect(await bash.execute({ command: 'ls', workdir: 'link' }, moved('link'))).toMatchObject({ output: 'a.txt' });
  await expect(bash.execute({ command: 'ls', workdir: 'one' }, moved('one'))).rejects.toThrow(
    `The folder ${join(root, 'one')} was replaced while this call waited, so it was not run.`,
  );
});
