import { compilePermissions, type PermissionQuestion, rulesFromConfig } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { unreadableCommand } from '../tools/bash/command-subjects.ts';
import { decideCall } from './decide-call.ts';

const permissions = compilePermissions(
  rulesFromConfig({ bash: { 'ls *': 'allow', '*': 'ask', 'rm *': 'deny' } }, 'dragoman.json'),
);
const bash = (...commands: string[]): PermissionQuestion => ({
  tool: 'bash',
  subjects: commands.map((value) => ({ kind: 'command', value })),
});

test('what is allowed runs, whoever is there', () => {
  for (const mode of ['interactive', 'headless', 'yes'] as const)
    expect(decideCall(bash('ls'), permissions, mode)).toEqual({ action: 'allow' });
});

test('what has to be asked about comes with the reason and what "always" would store', () => {
  expect(decideCall(bash('ls', 'git push origin', 'make test'), permissions, 'interactive')).toEqual({
    action: 'ask',
    reason:
      '"bash" with the command "git push origin" has to be asked about because of the rule "bash": "ask" (dragoman.json).',
    always: [
      { tool: 'bash', kind: 'command', pattern: 'git push *' },
      { tool: 'bash', kind: 'command', pattern: 'make test *' },
    ],
  });
});

test('where nobody can be asked, an ask is a deny that says so and how to allow it [ACC-24]', () => {
  expect(decideCall(bash('git push origin'), permissions, 'headless')).toEqual({
    action: 'deny',
    message:
      '"bash" with the command "git push origin" has to be asked about because of the rule "bash": "ask" (dragoman.json). ' +
      'Nobody can be asked here, so it was not run. The user can allow it by starting with --yes, or with a line in ' +
      '"permissions" of dragoman.json: "bash": { "git push *": "allow" }.',
  });
  expect(decideCall({ tool: 'files_list', subjects: [] }, permissions, 'headless')).toEqual({
    action: 'deny',
    message:
      'No rule is about "files_list", so it has to be asked about. Nobody can be asked here, so it was not run. The user ' +
      'can allow it by starting with --yes, or with a line in "permissions" of dragoman.json: "files_list": "allow".',
  });
});

test('the lines to write are put together by tool, and left out where they are too many [ACC-24]', () => {
  const two = decideCall(bash('git push', 'make test'), permissions, 'headless');
  const many = decideCall(bash('a', 'b', 'c', 'd'), permissions, 'headless');

  expect(two).toMatchObject({ message: expect.stringContaining('{ "git push *": "allow", "make test *": "allow" }.') });
  expect(many).toMatchObject({ message: expect.stringMatching(/in "permissions" of dragoman\.json\.$/) });
});

test('a user who said yes beforehand is not asked, and a deny stays a deny [ACC-24]', () => {
  expect(decideCall(bash('git push'), permissions, 'yes')).toEqual({ action: 'allow' });
  for (const mode of ['interactive', 'headless', 'yes'] as const) {
    expect(decideCall(bash('ls', 'rm x'), permissions, mode)).toEqual({
      action: 'deny',
      message:
        '"bash" with the command "rm x" is denied because of the rule "bash": { "rm *": "deny" } (dragoman.json). It was not run. ' +
        'Do not look for another way to the same end; go on without it, or tell the user what you need.',
    });
  }
});

test('a text that cannot be read is only ever allowed once', () => {
  expect(decideCall(bash(unreadableCommand('eval "$X"'), 'eval "$X"'), permissions, 'interactive')).toMatchObject({
    action: 'ask',
    always: [],
  });
});
