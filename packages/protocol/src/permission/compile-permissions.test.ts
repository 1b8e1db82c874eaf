import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePermissions } from './compile-permissions.ts';
import type { PermissionQuestion, PermissionRule, PermissionSubject } from './permission.ts';
import { THOUSAND_RULES_QUESTION, thousandRules } from './thousand-rules.fixture.ts';
import { unreadableCommand } from './unreadable-command.ts';

type Written = [tool: string, pattern: string, action: PermissionRule['action'], more?: Partial<PermissionRule>];

const toRules = (written: readonly Written[]): PermissionRule[] =>
  written.map(([tool, pattern, action, more]) => ({ tool, pattern, action, origin: 'test', ...more }));
const compile = (...written: Written[]) => compilePermissions(toRules(written), { home: '/home/ann' });
const about = (tool: string, kind: PermissionSubject['kind'], ...values: string[]): PermissionQuestion => ({
  tool,
  subjects: values.map((value) => ({ kind, value })),
});

test('a call is decided by the name of its tool and by its path, command or host [ACC-21]', () => {
  const { decide } = compile(
    ['edit', '*', 'ask'],
    ['edit', 'docs/**', 'allow'],
    ['bash', 'git *', 'allow'],
    ['bash', 'git push *', 'deny'],
    ['web-fetch', '*.example.com', 'allow'],
    ['files_*', '*', 'allow'],
  );
  const action = (question: PermissionQuestion) => decide(question).action;

  expect(action(about('edit', 'path', 'docs/a.md'))).toBe('allow');
  expect(action(about('edit', 'path', 'src/a.ts'))).toBe('ask');
  expect(action(about('bash', 'command', 'git status'))).toBe('allow');
  expect(action(about('bash', 'command', 'git push --force'))).toBe('deny');
  expect(action(about('web-fetch', 'host', 'www.example.com'))).toBe('allow');
  expect(action(about('web-fetch', 'host', 'example.org'))).toBe('ask');
  expect(action({ tool: 'files_read', subjects: [] })).toBe('allow');
  expect(action(about('skill', 'name', 'deploy'))).toBe('ask');
});

test('the question is decided as strictly as the strictest of its subjects, which is named [ACC-21]', () => {
  const { decide } = compile(['bash', 'ls *', 'allow'], ['bash', 'make *', 'ask'], ['bash', 'rm *', 'deny']);

  expect(decide(about('bash', 'command', 'ls', 'ls -l')).action).toBe('allow');
  expect(decide(about('bash', 'command', 'ls', 'make', 'ls'))).toMatchObject({
    action: 'ask',
    subject: { value: 'make' },
  });
  expect(decide(about('bash', 'command', 'ls', 'make', 'rm x'))).toMatchObject({
    action: 'deny',
    subject: { value: 'rm x' },
  });
});

test('a deny wins over rules that are more specific, later and of a higher layer [ACC-22]', () => {
  const { decide } = compile(
    ['*', '*', 'deny', { origin: 'plan' }],
    ['bash', 'git status', 'allow', { layer: 3 }],
    ['bash', 'git *', 'ask', { layer: 2 }],
  );

  expect(decide(about('bash', 'command', 'git status'))).toEqual({
    action: 'deny',
    rule: { tool: '*', pattern: '*', action: 'deny', origin: 'plan' },
    subject: { kind: 'command', value: 'git status' },
    reason: '"bash" with the command "git status" is denied because of the rule "*": "deny" (plan).',
  });
});

test('without a deny the more specific rule wins: pattern first, then tool, then the later one [ACC-22]', () => {
  const git = about('bash', 'command', 'git push');
  const winner = (...written: Written[]) => compile(...written).decide(git).rule?.origin;

  expect(winner(['bash', 'git push *', 'ask', { origin: 'long' }], ['bash', 'git *', 'allow'])).toBe('long');
  expect(winner(['*', 'git *', 'ask', { origin: 'long' }], ['bash', '*', 'allow'])).toBe('long');
  expect(winner(['bash', 'git push', 'ask', { origin: 'exact' }], ['bash', 'git push *', 'allow'])).toBe('exact');
  expect(winner(['ba*', 'git *', 'ask', { origin: 'tool' }], ['*', 'git *', 'allow'])).toBe('tool');
  expect(winner(['bash', 'git *', 'ask'], ['bash', 'git *', 'allow', { origin: 'later' }])).toBe('later');
});

test('a higher layer wins over a more specific rule of a lower one, so a user loosens the defaults [NFR-09]', () => {
  const { decide } = compile(
    ['read', '.env', 'ask', { layer: 0 }],
    ['bash', 'git push --force *', 'ask', { layer: 0 }],
    ['*', '*', 'allow', { layer: 1, origin: 'dragoman.json' }],
  );

  expect(decide(about('read', 'path', '.env'))).toMatchObject({ action: 'allow', rule: { origin: 'dragoman.json' } });
  expect(decide(about('bash', 'command', 'git push --force')).action).toBe('allow');
});

test('what no rule is about is asked about, and the reason says so [ACC-22]', () => {
  expect(compile().decide(about('edit', 'path', 'a.ts'))).toEqual({
    action: 'ask',
    subject: { kind: 'path', value: 'a.ts' },
    reason: 'Asks because no rule covers "edit" on the path "a.ts".',
  });
  expect(compile().decide({ tool: 'x', subjects: [] })).toEqual({
    action: 'ask',
    reason: 'Asks because no rule covers "x".',
  });
});

test('a tool as such is only decided by rules about everything', () => {
  const { decide } = compile(
    ['bash', 'rm *', 'deny'],
    ['bash', '*', 'ask', { kind: 'command' }],
    ['b*', '**', 'allow'],
  );

  expect(decide({ tool: 'bash', subjects: [] }).action).toBe('allow');
});

test('the explanation lists every rule that matches, the strongest first, and those that were held back [ACC-22]', () => {
  const rules = toRules([
    ['*', '*', 'ask'],
    ['bash', 'rg *', 'allow', { unless: ['*--pre*'] }],
    ['bash', 'rg * src', 'allow', { layer: 1 }],
  ]);
  const { explain } = compilePermissions(rules);
  const [everything, search, user] = rules;
  const hidden: PermissionSubject = { kind: 'command', value: 'rg --pre=x a' };
  const reason = 'Asks because of the rule "*": "ask" (test).';

  expect(explain(about('bash', 'command', 'rg a src', hidden.value))).toEqual({
    action: 'ask',
    rule: everything,
    subject: hidden,
    reason,
    subjects: [
      {
        action: 'allow',
        rule: user,
        subject: { kind: 'command', value: 'rg a src' },
        reason:
          '"bash" with the command "rg a src" is allowed because of the rule "bash": { "rg * src": "allow" } (test).',
        matches: [user, search, everything],
        heldBack: [],
      },
      {
        action: 'ask',
        rule: everything,
        subject: hidden,
        reason,
        matches: [everything],
        heldBack: [{ rule: search, unless: '*--pre*' }],
      },
    ],
  });
});

test('the reason tells of a command that cannot be read in words, and not with its marks', () => {
  const { decide } = compile(['*', '*', 'ask']);
  expect(decide(about('bash', 'command', unreadableCommand('eval "$X"'))).reason).toBe(
    'Asks because of the rule "*": "ask" (test).',
  );
});

test('what is long is cut in the reason', () => {
  const { reason } = compile().decide(about('bash', 'command', 'x'.repeat(5_000)));

  expect(reason).toBe(`Asks because no rule covers "bash" with the command "${'x'.repeat(200)}…".`);
});

test('an allow that starts at no place of its own is about the project alone; a deny is about everywhere [ACC-21]', () => {
  const { decide } = compile(
    ['edit', '*.ts', 'allow'],
    ['edit', '*.key', 'deny'],
    ['edit', '~/notes/**', 'allow'],
    ['read', '*', 'allow'],
  );

  expect(decide(about('edit', 'path', 'src/a.ts')).action).toBe('allow');
  expect(decide(about('edit', 'path', '/etc/a.ts')).action).toBe('ask');
  expect(decide(about('edit', 'path', 'src/../../a.ts')).action).toBe('ask');
  expect(decide(about('edit', 'path', '/etc/a.key')).action).toBe('deny');
  expect(decide(about('edit', 'path', '/home/ann/notes/x')).action).toBe('allow');
  expect(decide(about('read', 'path', '/etc/a.ts')).action).toBe('ask');
});

test.each(['*', '**'])(
  'an allow of %s stays in the project and out of .git, and the explanation says so [ACC-22]',
  (all) => {
    const { decide, explain } = compile(
      ['*', '*', 'ask'],
      ['edit', all, 'allow', { layer: 1, origin: 'dragoman.json' }],
    );
    const heldBack = (path: string) =>
      explain(about('edit', 'path', path)).subjects[0]!.heldBack.map((held) => held.unless);

    expect(decide(about('edit', 'path', 'src/a.ts')).action).toBe('allow');
    expect(heldBack('src/a.ts')).toEqual([]);
    for (const path of ['../w.txt', '/etc/a', '~/a']) {
      expect(decide(about('edit', 'path', path)).action).toBe('ask');
      expect(heldBack(path)).toEqual(['paths outside the project']);
    }
    expect(decide(about('edit', 'path', '.git/hooks/pre-commit')).action).toBe('ask');
    expect(heldBack('.git/hooks/pre-commit')).toEqual(['paths in a .git folder']);
  },
);

test('a deny of reading or editing holds for a path that another tool may touch, and nothing else of it does [ACC-22]', () => {
  const { decide, explain, holdsDenyForCommands } = compile(
    ['bash', '*', 'allow'],
    ['read', '.env', 'deny'],
    ['read', '*.key', 'ask'],
    ['edit', '**', 'deny'],
  );
  const touching = (value: string, deniedAs: 'read' | 'edit', isGuess = false): PermissionQuestion => ({
    tool: 'bash',
    subjects: [
      { kind: 'command', value: 'x' },
      { kind: 'path', value, deniedAs, ...(isGuess && { isGuess }) },
    ],
  });

  expect(decide(touching('conf/.env', 'read'))).toEqual({
    action: 'deny',
    rule: { tool: 'read', pattern: '.env', action: 'deny', origin: 'test' },
    subject: { kind: 'path', value: 'conf/.env', deniedAs: 'read' },
    reason: '"read" on the path "conf/.env" is denied because of the rule "read": { ".env": "deny" } (test).',
  });
  expect(explain(touching('.env', 'read', true)).subjects.map(({ action }) => action)).toEqual(['allow', 'deny']);
  expect(explain(touching('a', 'read')).subjects.map(({ action }) => action)).toEqual(['allow']);
  expect(decide(touching('a.key', 'read')).action).toBe('allow');
  expect(decide(touching('a', 'edit')).action).toBe('deny');
  expect(decide(touching('a', 'edit', true)).action).toBe('allow');
  expect(decide({ tool: 'bash', subjects: [{ kind: 'path', value: 'a', deniedAs: 'read' }] })).toEqual(
    decide({ tool: 'bash', subjects: [] }),
  );
  expect(holdsDenyForCommands('bash')).toBe(true);
  expect(compile(['bash', '*', 'allow'], ['web-fetch', '*', 'deny']).holdsDenyForCommands('bash')).toBe(false);
});

test('a deny and an ask for a git command see it behind the options of git; an allow does not [ACC-21]', () => {
  const { decide } = compile(['bash', 'git push *', 'deny'], ['bash', 'git tag *', 'ask'], ['bash', 'git *', 'allow']);
  const allowing = compile(['bash', 'git log *', 'allow']);
  const options = ['-C .', '--no-pager', '-c a=b', '--git-dir=x', '--git-dir x -P', "-C 'a b'"];

  for (const option of options) {
    expect(decide(about('bash', 'command', `git ${option} push origin`)).action).toBe('deny');
    expect(decide(about('bash', 'command', `git ${option} tag v1`)).action).toBe('ask');
    expect(allowing.decide(about('bash', 'command', `git ${option} log`)).action).toBe('ask');
  }
  expect(decide(about('bash', 'command', 'sudo /usr/bin/git -C . push')).action).toBe('deny');
  expect(decide(about('bash', 'command', 'bash -c "git -C . push"')).action).toBe('deny');
});

test('a deny sees through what stands before a command; an allow does not', () => {
  const { decide } = compile(['bash', 'rm *', 'deny'], ['bash', 'ls *', 'allow'], ['bash', '*', 'ask']);
  const action = (command: string) => decide(about('bash', 'command', command)).action;

  expect(action('sudo -u me /bin/rm -rf x')).toBe('deny');
  expect(action('sh -c "cd a; rm -rf b"')).toBe('deny');
  expect(action('/tmp/ls')).toBe('ask');
  expect(action('sudo ls')).toBe('ask');
});

test('a rule for one kind is not about others that look alike', () => {
  const { decide } = compile(['bash', 'src/**', 'allow', { kind: 'path' }]);

  expect(decide(about('bash', 'path', 'src/run.sh')).action).toBe('allow');
  expect(decide(about('bash', 'command', 'src/run.sh')).action).toBe('ask');
});

test('rules go on deciding when models make up many tool names', () => {
  const { decide } = compile(['a*', '*', 'allow'], ['*', '*', 'deny', { kind: 'path' }]);

  for (let index = 0; index < 1_000; index++) decide({ tool: `b${index}`, subjects: [] });
  expect(decide({ tool: 'a1', subjects: [] }).action).toBe('allow');
});

test('among a thousand rules the right one decides', () => {
  const rules = thousandRules();
  const one = compilePermissions(rules);
  const denied = compilePermissions([...rules, ...toRules([['*', '* --reporter=*', 'deny', { origin: 'the deny' }]])]);

  expect(rules).toHaveLength(1_000);
  expect(one.decide(THOUSAND_RULES_QUESTION)).toMatchObject({ action: 'allow', rule: { origin: 'the one' } });
  expect(denied.decide(THOUSAND_RULES_QUESTION)).toMatchObject({ action: 'deny', rule: { origin: 'the deny' } });
});

const somePatterns = fc.constantFrom('*', 'a', 'a*', 'a b', 'a *', '* b', '?', 'a ?');
const someRules = fc.array(
  fc.record({
    tool: fc.constantFrom('*', 't', 't*', 'u'),
    pattern: somePatterns,
    action: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
    layer: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 8 },
);
const someSubjects = fc.array(
  fc.record({
    kind: fc.constantFrom('command' as const, 'name' as const),
    value: fc.constantFrom('a', 'b', 'a b', 'a c'),
  }),
  { maxLength: 3 },
);

test('a deny that matches wins in any order of the rules, and the decision says the same as the explanation [ACC-22]', () => {
  fc.assert(
    fc.property(someRules, someSubjects, fc.infiniteStream(fc.nat()), (some, subjects, dice) => {
      const rules = some.map((rule, index) => ({ ...rule, origin: String(index) }));
      const question = { tool: 't', subjects };
      const shuffled = rules
        .map((rule) => ({ rule, at: dice.next().value }))
        .sort((one, other) => one.at - other.at)
        .map(({ rule }) => rule);
      const { subjects: explained, ...decision } = compilePermissions(rules).explain(question);
      const isDenied = explained.some(({ matches }) => matches.some((rule) => rule.action === 'deny'));

      expect(compilePermissions(rules).decide(question)).toEqual(decision);
      expect(decision.action === 'deny').toBe(isDenied);
      expect(compilePermissions(shuffled).decide(question).action === 'deny').toBe(isDenied);
      for (const { matches, rule, action } of explained) {
        expect(matches[0]).toEqual(rule);
        expect(action).toBe(rule?.action ?? 'ask');
        const layers = matches.filter((each) => each.action !== 'deny').map(({ layer = 0 }) => layer);
        expect(layers).toEqual(layers.toSorted((a, b) => b - a));
      }
    }),
    { seed: 24, numRuns: 2_000 },
  );
});

test.for([
  ['edit', '*', undefined, 'Edits'],
  ['bash', '*', undefined, 'Commands'],
  ['bash', 'git push *', 'command', 'Commands like "git push *"'],
  ['web-fetch', '*', undefined, 'Web requests'],
  ['files_list', '*', undefined, 'Calls of "files_list"'],
  ['read', '~/**', 'path', 'Files outside the project'],
  ['read', '../**', 'path', 'Files outside the project'],
  ['read', '.env', 'path', 'Files like ".env"'],
] as const)('what is asked about by default is said in plain words: %s %s', ([tool, pattern, kind, calls]) => {
  const permissions = compilePermissions([
    { tool, pattern, action: 'ask', origin: 'defaults', ...(kind === undefined ? {} : { kind }) },
  ]);
  const value = { '*': 'a', 'git push *': 'git push x', '~/**': '~/a', '../**': '../a', '.env': '.env' }[pattern];

  expect(permissions.decide({ tool, subjects: [{ kind: kind ?? 'name', value }] }).reason).toBe(
    `${calls} need approval by default.`,
  );
});
