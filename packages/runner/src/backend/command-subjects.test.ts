import { compilePermissions } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { commandSubjects } from './command-subjects.ts';

const told = (text: string) => commandSubjects(text).map(({ value }) => value);

test('a command that runs another one is told with the one behind it, and a shell with its script', () => {
  expect(told('timeout 5 rm x')).toEqual(['timeout 5 rm x', 'rm x']);
  expect(told('sudo -u root rm x')).toEqual(['sudo -u root rm x', 'root rm x', 'rm x']);
  expect(told('env A=1 nice -n 5 rm x')).toEqual(['env A=1 nice -n 5 rm x', 'nice -n 5 rm x', 'rm x']);
  expect(told("bash -lc 'git status && rm x'")).toEqual(["bash -lc 'git status && rm x'", 'git status', 'rm x']);
  expect(told('timeout 5 echo rm x')).toEqual(['timeout 5 echo rm x', 'echo rm x']);
  expect(told('sh script.sh')).toEqual(['sh script.sh']);
});

test.each([
  'timeout 5 rm x',
  'sudo -u root rm x',
  '/usr/bin/env rm x',
  "sh -c 'rm x'",
  'nohup nice rm x',
  'a; exec rm x',
  'if true; then rm x; fi',
  'for i in a; do rm x; done',
  'while ! rm x; do ls; done',
  'coproc rm x',
])('where everything is allowed but rm, `%s` is denied', (command) => {
  const rules = compilePermissions([
    { tool: 'bash', pattern: '*', action: 'allow', origin: 'test' },
    { tool: 'bash', pattern: 'rm *', action: 'deny', origin: 'test' },
  ]);

  expect(rules.decide({ tool: 'bash', subjects: commandSubjects(command) }).action).toBe('deny');
});

test('text of any kind is read without end or failure', () => {
  for (const text of [
    '',
    ' ',
    '"',
    "'",
    'sudo',
    'sudo -',
    'sh -c',
    'env A=',
    `${'sudo '.repeat(500)}rm x`,
    'xargs\n\0',
  ])
    expect(Array.isArray(told(text))).toBe(true);
});

test.each([
  ['commands', Array.from({ length: 25_000 }, (_, at) => `a${at}`).join(';')],
  ['commands in a script', `bash -c "${Array.from({ length: 300 }, (_, at) => `a${at}`).join(';')}"`],
  ['readings of its words', 'env -a '.repeat(1_000)],
  ['runners', 'env '.repeat(60_000)],
  ['blanks', `a${' '.repeat(40_000)}b`],
])('a text with too many %s is told so that the rules take it for too much', (_, text) => {
  const subjects = commandSubjects(text);
  expect(subjects.length).toBeLessThanOrEqual(201);
  const rules = compilePermissions([{ tool: 'bash', pattern: 'rm *', action: 'deny', origin: 'test' }]);
  expect(rules.decide({ tool: 'bash', subjects })).toMatchObject({ action: 'deny', rule: { pattern: 'rm *' } });
});
