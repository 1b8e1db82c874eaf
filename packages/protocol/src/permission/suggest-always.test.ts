import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePermissions } from './compile-permissions.ts';
import { DISGUISED_SHELLS } from './disguised-shells.fixture.ts';
import type { PermissionQuestion, PermissionRule, PermissionSubject } from './permission.ts';
import { suggestAlways } from './suggest-always.ts';
import { unreadableCommand } from './unreadable-command.ts';

const pattern = (kind: PermissionSubject['kind'], value: string) =>
  suggestAlways({ tool: 't', subjects: [{ kind, value }] }).map((rule) => rule.pattern)[0];

test.each([
  ['git add src', 'git add *'],
  ['git add', 'git add *'],
  ['git commit  -m x', 'git commit *'],
  ['git stash pop', 'git stash pop *'],
  ['git worktree list', 'git worktree list *'],
  ['ls -la src', 'ls *'],
  ['mkdir -p a/b', 'mkdir *'],
])('"always" for %s stores the words that say what it does: %s', (command, expected) => {
  expect(pattern('command', command)).toBe(expected);
});

test.each(DISGUISED_SHELLS)('"always" for %s does not allow %s, which is something else', (command, shell) => {
  const question = (value: string): PermissionQuestion => ({ tool: 'bash', subjects: [{ kind: 'command', value }] });
  const rules = suggestAlways(question(command)).map((rule) => ({ ...rule, action: 'allow' as const, origin: 'test' }));
  const { decide } = compilePermissions(rules.map((rule) => ({ ...rule, layer: 3 })));

  expect(decide(question(command)).action).toBe('allow');
  expect(decide(question(shell)).action).toBe('ask');
});

test.each([
  'git log --help',
  'git -C other push',
  'git',
  'make',
  'git push origin main',
  'git diff a b',
  'git remote -v',
  'git clean -n',
  'node',
  'docker run alpine',
])('"always" for %s stores that very command', (command) => {
  expect(pattern('command', command)).toBe(command);
});

test('a wildcard in a command that is stored as it is stands for itself', () => {
  expect(pattern('command', 'rm *.log')).toBe('rm [*].log');
});

test('a path stores its folder inside the project, and itself outside or at the root', () => {
  expect(pattern('path', 'src/lib/a.ts')).toBe('src/lib/**');
  expect(pattern('path', './src/../app/[id]/page.tsx')).toBe('app/[id]/**');
  expect(pattern('path', 'package.json')).toBe('./package.json');
  expect(pattern('path', '.husky/pre-commit')).toBe('./.husky/pre-commit');
  expect(pattern('path', '.')).toBe('./**');
  expect(pattern('path', '/etc/hosts')).toBe('/etc/hosts');
  expect(pattern('path', '../other/a.ts')).toBe('../other/a.ts');
  expect(pattern('path', '~/a.ts')).toBe('./~/**');
  expect(suggestAlways({ tool: 't', subjects: [{ kind: 'path', value: '~/a' }] }, { home: '/home/ann' })).toEqual([
    { tool: 't', kind: 'path', pattern: '/home/ann/a' },
  ]);
});

test('a host and a name store themselves, and a tool as such everything it does', () => {
  expect(pattern('host', 'example.com:8443')).toBe('example.com:8443');
  expect(pattern('host', '*')).toBe('[*]');
  expect(pattern('name', 'deploy')).toBe('deploy');
  expect(suggestAlways({ tool: 'files_list', subjects: [] })).toEqual([{ tool: 'files_list', pattern: '*' }]);
});

test.each(['bash', 'Bash', 'shell', 'edit', 'write', 'read', 'grep', 'web-fetch', 'task'])(
  'nothing is offered for %s where it is not known what it is about',
  (tool) => {
    expect(suggestAlways({ tool, subjects: [] })).toEqual([]);
    expect(suggestAlways({ tool, subjects: [{ kind: 'path', value: 'a', deniedAs: 'read' }] })).toEqual([]);
  },
);

test('what nobody would read to the end is not offered', () => {
  expect(pattern('command', `python -c "${'x'.repeat(1_000)}"`)).toBeUndefined();
  expect(pattern('name', '')).toBeUndefined();
});

test('for a command that cannot be read nothing is offered, not for what was recognised in it either', () => {
  const told = [unreadableCommand('git log $(rm x)'), 'git log $(rm x)'];
  const subjects = told.map((value) => ({ kind: 'command' as const, value }));

  expect(suggestAlways({ tool: 'bash', subjects })).toEqual([]);
});

test('only what had to be asked about gets a rule, each once', () => {
  const rules: PermissionRule[] = [{ tool: 'bash', pattern: 'ls *', action: 'allow', origin: 'test' }];
  const question: PermissionQuestion = {
    tool: 'bash',
    subjects: ['ls', 'git add a', 'git add b'].map((value) => ({ kind: 'command', value })),
  };

  expect(suggestAlways(question, { explanation: compilePermissions(rules).explain(question) })).toEqual([
    { tool: 'bash', kind: 'command', pattern: 'git add *' },
  ]);
});

test('where a rule about just such subjects asked, or one did not apply, "always" is about the very subject', () => {
  const { explain } = compilePermissions([
    { tool: '*', pattern: '*', action: 'ask', origin: 'test' },
    { tool: 'read', pattern: '.env', action: 'ask', origin: 'test' },
    { tool: 'bash', pattern: 'rg *', action: 'allow', origin: 'test', unless: ['*--pre*'] },
  ]);
  const suggested = (tool: string, kind: PermissionSubject['kind'], value: string) => {
    const question: PermissionQuestion = { tool, subjects: [{ kind, value }] };
    return suggestAlways(question, { explanation: explain(question) })[0]?.pattern;
  };

  expect(suggested('read', 'path', 'config/.env')).toBe('./config/.env');
  expect(suggested('read', 'path', 'config/a.json')).toBe('config/**');
  expect(suggested('bash', 'command', 'rg --pre=x a')).toBe('rg --pre=x a');
});

test('what "always" stores allows the same question the next time', () => {
  const pieces = fc.constantFrom(
    'git',
    'npm run',
    'a',
    'b',
    '/',
    ' ',
    '..',
    '~',
    '*',
    '?',
    '[',
    ']',
    '"',
    "'",
    '\\',
    '-',
    ':',
    '.',
  );
  const values = fc.array(pieces, { minLength: 1, maxLength: 8 }).map((some) => some.join(''));
  const kinds = fc.constantFrom('path' as const, 'command' as const, 'host' as const, 'name' as const);

  fc.assert(
    fc.property(kinds, values, fc.boolean(), (kind, value, ignoresCase) => {
      const options = { home: '/home/ann', ignoresCase };
      const question: PermissionQuestion = { tool: 't', subjects: [{ kind, value }] };
      const [suggested] = suggestAlways(question, options);
      fc.pre(suggested !== undefined);
      const rule: PermissionRule = { ...suggested, action: 'allow', origin: 'test', layer: 3 };

      expect(compilePermissions([rule], options).decide(question).action).toBe('allow');
      expect(suggested.pattern).not.toMatch(/^\*+$/);
    }),
    { seed: 25, numRuns: 5_000 },
  );
});

test('in a .git folder, and of what is only there to be denied, nothing more than the very path is stored', () => {
  const hook = { kind: 'path', value: '.git/hooks/pre-commit' } as const;

  expect(suggestAlways({ tool: 'edit', subjects: [hook, { kind: 'path', value: 'a/b', deniedAs: 'read' }] })).toEqual([
    { tool: 'edit', kind: 'path', pattern: './.git/hooks/pre-commit' },
  ]);
});
