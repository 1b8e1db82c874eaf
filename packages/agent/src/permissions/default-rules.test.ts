import { compilePermissions, type PermissionSubject, rulesFromConfig, suggestAlways } from '@dragoman/protocol';
import { isSecretFile, SECRET_FILES } from '@dragoman/protocol/secrets';
import { describe, expect, test } from 'vitest';
import { commandSubjects } from '../tools/bash/command-subjects.ts';
import { defaultRules } from './default-rules.ts';

const PLACE = { cwd: '/srv/project', root: '/srv/project', home: '/home/ann', inherited: new Set(['PATH', 'HOME']) };
const options = { home: PLACE.home };
const defaults = compilePermissions(defaultRules(), options);
const decide = (tool: string, kind: PermissionSubject['kind'], value: string) =>
  defaults.decide({ tool, subjects: [{ kind, value }] }).action;
const bash = async (command: string) =>
  defaults.decide({ tool: 'bash', subjects: await commandSubjects(command, PLACE) }).action;

test('looking around the project is allowed, and everything else is asked about [ACC-21]', () => {
  expect(['read', 'glob', 'grep'].map((tool) => decide(tool, 'path', 'src/a.ts'))).toEqual(['allow', 'allow', 'allow']);
  expect(decide('glob', 'path', '.')).toBe('allow');
  expect(decide('skill', 'name', 'deploy')).toBe('allow');
  expect(decide('task', 'name', 'explore')).toBe('allow');
  for (const tool of ['code-search', 'todo-read', 'todo-write', 'tool-search'])
    expect(defaults.decide({ tool, subjects: [] }).action).toBe('allow');
  expect(decide('edit', 'path', 'src/a.ts')).toBe('ask');
  expect(decide('web-fetch', 'host', 'example.com')).toBe('ask');
  expect(defaults.decide({ tool: 'web-search', subjects: [] }).action).toBe('ask');
  expect(defaults.decide({ tool: 'files_delete', subjects: [] }).action).toBe('ask');
});

test.each(['/etc/passwd', '/home/ann/notes.md', '../other/a.ts', 'C:\\Windows\\a.ini', '~/a', '/x/.env.example'])(
  'nothing is read from %s without a question [ACC-21]',
  (path) => {
    expect(decide('read', 'path', path)).toBe('ask');
    expect(decide('glob', 'path', path)).toBe('ask');
    expect(decide('bash', 'path', path)).toBe('ask');
  },
);

test.each([
  '.env',
  'a/.env.local',
  'prod.env',
  'cert.pem',
  'a/server.key',
  'id_rsa',
  'id_ed25519',
  'x/.ssh/config',
  '.npmrc',
])('a file that holds secrets is not read without a question: %s', (path) => {
  expect(decide('read', 'path', path)).toBe('ask');
  expect(decide('grep', 'path', path)).toBe('ask');
});

test.each([
  '.env.example',
  'a/.env.sample',
  '.env.template',
  '.env.local.dist',
  'example.env',
  'id_rsa.pub',
  'src/env.ts',
  'keys.ts',
])('a file that is only named like one is read: %s', (path) => {
  expect(decide('read', 'path', path)).toBe('allow');
});

test('what is read without a question is the same as what everybody else takes for open', () => {
  const names = SECRET_FILES.map((pattern) => pattern.replace(/^!/, '').replaceAll('**', 'x').replaceAll(/[*?]/g, 'y'));
  const paths = names.flatMap((name) => [name, `a/${name}`, name.toUpperCase(), `${name}.example`, `${name}.ts`]);

  expect(paths.filter((path) => (decide('read', 'path', path) === 'ask') !== isSecretFile(path))).toEqual([]);
});

describe('a command', () => {
  test.each([
    'ls',
    'ls -la src',
    'ls src lib',
    'cd packages/a && ls -1',
    'git status --short',
    'git diff',
    'git diff --stat',
    'git diff main...HEAD',
    'git diff --cached src/a.ts',
    'git diff HEAD~1 -- src',
    'git log --oneline -5',
    "git log --format='%h %s' -- src",
    'git show --stat',
    'git branch',
    "git branch --list 'feature/a'",
    'git rev-parse --abbrev-ref HEAD',
    'git remote -v',
    'pwd; date +%F',
    'which node && node --version',
    'command -v git',
    'uname -a',
    'echo done',
    'ls 2>/dev/null',
    'timeout 5 ls',
  ])('that only looks is run: %s', async (command) => {
    expect(await bash(command)).toBe('allow');
  });

  test.each([
    'cat < .env',
    'cat .e*',
    'cat .[e]nv',
    'cat README.md',
    'head -1 a',
    'tail a',
    'sort a',
    'cut -c1- a',
    'wc --files0-from=.env',
    'file -f .env',
    'diff a b',
    'awk 1 a',
    'grep -r SECRET .',
    'rg SECRET',
    'git grep SECRET',
    'git blame --contents=.env README.md',
    'git show HEAD:src/a.ts',
    'git log --stdin < .env',
    'git log --stdin',
    '{ git rev-parse HEAD; } < .env',
    'git rev-parse --parseopt',
    'git diff /dev/null .env',
    'git diff . sub',
    'git diff --no-index a b',
    'git diff -- a b',
    'git log -- .env',
    'find -files0-from .env',
    'find -L .',
    'cat fli*',
    'echo ../*',
    'ls *.ts',
    'ls a?',
    'ls {a,b}',
    'ls -RL',
    'ls -R -L a',
    'ls src -L',
    'pwd < .env',
    'date -f .env',
    'date +%F -f .env',
  ])(
    'that may show what is in a file, or words that only the shell knows, is asked about: %s [ACC-21]',
    async (command) => {
      expect(await bash(command)).toBe('ask');
    },
  );

  test.each([
    'make',
    'rm -rf x',
    'ls && rm x',
    'ls > files.txt',
    'ls $(rm x)',
    'ls $FILE',
    'ls /etc',
    'ls ../other',
    'ls ~',
    'cd',
    'cd -',
    'git diff --output=a.txt',
    'git log -p --outpu=a.txt',
    'git diff --ext-diff',
    'git -c core.pager=x log',
    'git branch -D main',
    'git branch --list -D main',
    'git tag v1',
    'date -s now',
    'date +%F -s now',
    'hostname x',
    'env',
    'PAGER=x git log',
    'GIT_DIR=docs/sub git status',
    'GIT_DIR=docs/sub; export GIT_DIR; git status',
    'git --git-dir=docs/sub status',
    'git -C docs/sub status',
    'git status --help',
    'git log --help',
    'git status --ignore-submodules=none',
    'git diff --submodule=diff',
    'git log -p --submod=diff',
    'git describe --dirty',
    'git describe --broken',
    'git st',
    'ls -R .git',
    'cd .git && ls',
    'cd sub/.git/hooks',
    'sudo ls',
    './ls',
    'eval "$X"',
  ])('that may do more is asked about: %s', async (command) => {
    expect(await bash(command)).toBe('ask');
  });

  test.each(
    'npm npx pnpm yarn corepack bun deno python python3 pip uv go cargo rustc rustup make bundle ruby mvn ./mvnw ./gradlew tsc'.split(
      ' ',
    ),
  )('of a program that reads the project to know which one of it runs is asked about: %s', async (program) => {
    expect(await bash(`${program} --version`)).toBe('ask');
    expect(await bash(`cd sub && ${program} --version`)).toBe('ask');
  });
});

test('the user loosens and tightens every default, and none of them denies [NFR-09]', () => {
  const withUser = (config: Parameters<typeof rulesFromConfig>[0]) =>
    compilePermissions([...defaultRules(), ...rulesFromConfig(config, 'dragoman.json')], options);
  const env = { tool: 'read', subjects: [{ kind: 'path', value: '.env' }] } as const;
  const status = { tool: 'bash', subjects: [{ kind: 'command', value: 'git status' }] } as const;
  const outside = { tool: 'read', subjects: [{ kind: 'path', value: '/home/ann/notes/a.md' }] } as const;

  expect(defaultRules().filter(({ action }) => action === 'deny')).toEqual([]);
  expect(withUser({ read: { '.env': 'allow' } }).decide(env).action).toBe('allow');
  expect(withUser({ '*': 'allow' }).decide(env).action).toBe('allow');
  expect(withUser({ '*': 'allow' }).decide(outside).action).toBe('ask');
  for (const path of ['../w.txt', '.git/hooks/pre-commit'])
    for (const config of [{ edit: 'allow' }, { edit: { '**': 'allow' } }, { '*': 'allow' }] as const)
      expect(withUser(config).decide({ tool: 'edit', subjects: [{ kind: 'path', value: path }] }).action).toBe('ask');
  expect(withUser({ bash: { 'git *': 'deny' } }).decide(status)).toMatchObject({
    action: 'deny',
    rule: { origin: 'dragoman.json' },
  });
  expect(withUser({ bash: 'ask' }).decide(status).action).toBe('ask');
  expect(withUser({ read: { '~/notes/**': 'allow' } }).decide(outside).action).toBe('allow');
  expect(withUser({ read: { '*.md': 'allow' } }).decide(outside).action).toBe('ask');
});

test('"always" for an unusual use of a harmless command, or for a secret, is about that one alone', () => {
  const suggested = (tool: string, kind: PermissionSubject['kind'], value: string) => {
    const question = { tool, subjects: [{ kind, value }] };
    return suggestAlways(question, { ...options, explanation: defaults.explain(question) });
  };

  expect(suggested('bash', 'command', 'git log --output=a')).toEqual([
    { tool: 'bash', kind: 'command', pattern: 'git log --output=a' },
  ]);
  expect(suggested('read', 'path', 'conf/.env')).toEqual([{ tool: 'read', kind: 'path', pattern: './conf/.env' }]);
  expect(suggested('edit', 'path', 'src/a.ts')).toEqual([{ tool: 'edit', kind: 'path', pattern: 'src/**' }]);
});
