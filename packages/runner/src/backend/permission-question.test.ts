import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { compilePermissions } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { commandSubjects } from './command-subjects.ts';
import { permissionQuestion } from './permission-question.ts';

const CWD = '/work/project';

test.each([
  ['a command', { kind: 'execute', rawInput: { command: 'npm  test' } }, 'bash', ['npm  test']],
  ['words for a shell', { kind: 'execute', rawInput: { command: ['bash', '-lc', 'ls -l'] } }, 'bash', ['ls -l']],
  [
    'words',
    { kind: 'execute', rawInput: { command: ['git', 'commit', '-m', 'two words'] } },
    'bash',
    ["git commit -m 'two words'"],
  ],
  [
    'a command with arguments',
    { kind: 'execute', rawInput: { command: 'rm', args: ['-rf', 'a b'] } },
    'bash',
    ["rm -rf 'a b'"],
  ],
  ['a command that is only in a title', { kind: 'execute', title: 'ls' }, 'bash', []],
  ['an edit', { kind: 'edit', rawInput: { file_path: 'src/a.ts' } }, 'edit', ['src/a.ts']],
  [
    'an edit by its place and its diff',
    { kind: 'edit', locations: [{ path: `${CWD}/a` }], content: [{ type: 'diff', path: `${CWD}/b` }] },
    'edit',
    ['a', 'b'],
  ],
  ['a deletion outside', { kind: 'delete', rawInput: { path: '/etc/passwd' } }, 'edit', ['/etc/passwd']],
  ['a path that climbs', { kind: 'edit', rawInput: { path: '../other/x' } }, 'edit', ['/work/other/x']],
  ['a move', { kind: 'move', rawInput: { source: 'a', destination: 'b' } }, 'edit', ['a', 'b']],
  ['reading', { kind: 'read', locations: [{ path: CWD }] }, 'read', ['.']],
  ['searching', { kind: 'search', rawInput: { pattern: 'x' } }, 'read', []],
  ['fetching', { kind: 'fetch', rawInput: { url: 'https://Example.com:8080/a?b' } }, 'web-fetch', ['example.com:8080']],
  ['fetching nothing', { kind: 'fetch', rawInput: { url: 'not an address' } }, 'web-fetch', []],
  ['a tool of another server', { kind: 'other' }, 'github_list_issues', []],
  ['a kind that nobody knows', { kind: 'dream' }, 'github_list_issues', []],
])('%s is asked about in the names of the rules', (_what, call, tool, values) => {
  const question = permissionQuestion(call, 'mcp__github__list_issues', CWD);

  expect(question.tool).toBe(tool);
  expect(question.subjects.map(({ value }) => value)).toEqual(values);
});

test.each(['Bash', 'shell', 'run_terminal_cmd'])(
  'the command of %s is a command, whatever kind it goes under',
  (name) => {
    const subjects = [{ kind: 'command', value: 'ls' }];
    for (const kind of [undefined, 'other'])
      expect(permissionQuestion({ kind, rawInput: { command: 'ls' } }, name, CWD)).toEqual({ tool: 'bash', subjects });
  },
);

test('a link is asked about as what it leads to too', () => {
  const [cwd, elsewhere] = [tempFolder(), tempFolder()];
  mkdirSync(join(cwd, 'src'));
  symlinkSync(elsewhere, join(cwd, 'src/link'));

  const { subjects } = permissionQuestion({ kind: 'edit', rawInput: { path: 'src/link/new.txt' } }, 'edit', cwd);

  expect(subjects.map(({ value }) => value)).toEqual(['src/link/new.txt', join(elsewhere, 'new.txt')]);
});

test.each([
  ['git status', ['git status']],
  ['npm test && npm run lint | tail -5; ls', ['npm test', 'npm run lint', 'tail -5', 'ls']],
  ['npm test 2>&1', ['npm test']],
  ['npm test >/dev/null 2>&1 && ls', ['npm test', 'ls']],
  [`echo 'a; b && c' "d | e"`, [`echo 'a; b && c' "d | e"`]],
  ['git status $(rm -rf x)', ['<unreadable> git status $(rm -rf x) </unreadable>', 'git status $(rm -rf x)']],
  ['git log "$(rm x)"', ['<unreadable> git log "$(rm x)" </unreadable>', 'git log "$(rm x)"']],
  ['cat a > b', ['<unreadable> cat a > b </unreadable>', 'cat a > b']],
  ['sleep 9 & ls', ['<unreadable> sleep 9 & ls </unreadable>', 'sleep 9 & ls']],
  [`echo "open; rm x`, [`<unreadable> echo "open; rm x </unreadable>`, 'echo "open', 'rm x']],
])('the commands of %s are told one by one', (text, values) => {
  expect(commandSubjects(text)).toEqual(values.map((value) => ({ kind: 'command', value })));
});

test.each([
  'git status; rm -rf x',
  'git status && rm x',
  'git log `rm x`',
  'git log $(rm x)',
  'git diff > ~/.bashrc',
  'git log &\nrm x',
])('a rule that allows git does not allow %s', (command) => {
  const rules = compilePermissions([{ tool: 'bash', pattern: 'git *', action: 'allow', origin: 'test' }], {
    home: '/home/ann',
  });

  expect(rules.decide({ tool: 'bash', subjects: commandSubjects('git status && git log') }).action).toBe('allow');
  expect(rules.decide({ tool: 'bash', subjects: commandSubjects(command) }).action).not.toBe('allow');
});
