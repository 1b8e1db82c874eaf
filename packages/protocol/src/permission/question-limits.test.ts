import { expect, test } from 'vitest';
import { compilePermissions } from './compile-permissions.ts';
import type { PermissionQuestion, PermissionSubject } from './permission.ts';
import { rulesFromConfig } from './permissions-config.ts';
import { isBeyondLimits } from './question-limits.ts';
import { suggestAlways } from './suggest-always.ts';
import { unreadableCommand } from './unreadable-command.ts';

const about = (tool: string, kind: PermissionSubject['kind'], values: readonly string[]): PermissionQuestion => ({
  tool,
  subjects: values.map((value) => ({ kind, value })),
});
const numbered = (count: number, text: string) => Array.from({ length: count }, (_, at) => `${text}${at}`);
const commands = (count: number) => about('bash', 'command', numbered(count, 'ls '));
const script = (count: number) => about('bash', 'command', [`bash -c "${'ls;'.repeat(count)}"`]);
const paths = (count: number) => about('edit', 'path', numbered(count, 'src/'));
const long = (length: number) => about('bash', 'command', ['l'.repeat(length)]);
const unread: PermissionQuestion = {
  tool: 'bash',
  subjects: [{ kind: 'command', value: unreadableCommand('ls; ls'), isUnread: true }],
};
const rules = (config: Parameters<typeof rulesFromConfig>[0]) =>
  compilePermissions(rulesFromConfig(config, 'dragoman.json'));

test('rules are held against 200 commands, 1,000 subjects, 32,000 characters of commands and 1,000 breaks in them', () => {
  for (const question of [commands(200), paths(1_000), long(32_000), script(999)])
    expect(isBeyondLimits(question)).toBe(false);
  for (const question of [commands(201), paths(1_001), long(32_001), script(1_001), unread])
    expect(isBeyondLimits(question)).toBe(true);
  expect(isBeyondLimits(about('edit', 'path', ['a'.repeat(128_001)]))).toBe(true);
});

test('what is beyond the limits is asked about, whatever is allowed of it, and nothing is offered for ever', () => {
  const permissions = rules({
    bash: { 'ls *': 'allow', 'l*': 'allow', 'bash *': 'allow' },
    edit: { 'src/**': 'allow' },
  });

  for (const question of [commands(201), script(1_001), long(32_001), paths(1_001), unread]) {
    const explanation = permissions.explain(question);
    expect(permissions.decide(question)).toEqual({
      action: 'ask',
      subject: question.subjects[0],
      reason: `Asks because "${question.tool}" is called with more than can be checked at once.`,
    });
    expect(explanation.subjects.map(({ subject }) => subject)).toEqual(question.subjects);
    expect(suggestAlways(question, { explanation })).toEqual([]);
    expect(suggestAlways(question)).toEqual([]);
  }
  expect(permissions.decide(commands(200)).action).toBe('allow');
  expect(permissions.decide(paths(1_000)).action).toBe('allow');
});

test('what is beyond the limits is denied where anything is denied that it could hold', () => {
  const denies = [{ bash: { '*': 'allow', 'rm *': 'deny' } }, { bash: 'deny' }, { '*': 'deny' }] as const;
  for (const config of denies)
    for (const question of [commands(201), script(1_001), long(32_001), unread])
      expect(rules(config).decide(question)).toMatchObject({ action: 'deny', rule: { action: 'deny' } });
  for (const tool of ['read', 'edit'])
    expect(rules({ bash: 'allow', [tool]: { '.env': 'deny' } }).decide(unread).action).toBe('deny');

  expect(rules({ edit: { '*': 'allow', '.env': 'deny' } }).decide(paths(1_001)).action).toBe('deny');
  expect(rules({ bash: { 'rm *': 'deny' } }).decide(unread).reason).toBe(
    '"bash" with more than can be checked at once is denied because of the rule "bash": { "rm *": "deny" } (dragoman.json), ' +
      'which may be about a part of it. In smaller steps each can be checked.',
  );
});

test('who allows every command allows those that are beyond the limits, unless something is asked about', () => {
  expect(rules({ bash: 'allow' }).decide(unread)).toMatchObject({ action: 'allow', rule: { pattern: '*' } });
  expect(rules({ bash: { '*': 'allow', 'git push *': 'ask' } }).decide(unread).action).toBe('ask');
  // A path may lie outside the project, which "edit": "allow" is not about.
  expect(rules({ edit: 'allow' }).decide(paths(1_001)).action).toBe('ask');
});
