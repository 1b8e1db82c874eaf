import { compilePermissions, type PermissionQuestion, rulesFromConfig, unreadableCommand } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { readCommands } from '../tools/bash/command-subjects.ts';
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
    reason: 'Asks because of the rule "bash": "ask" (dragoman.json).',
    always: [
      { tool: 'bash', kind: 'command', pattern: 'git push origin' },
      { tool: 'bash', kind: 'command', pattern: 'make test' },
    ],
  });
});

test('where nobody can be asked, an ask is a deny that says so and how to allow it [ACC-24]', () => {
  expect(decideCall(bash('git push origin'), permissions, 'headless')).toEqual({
    action: 'deny',
    message:
      'Asks because of the rule "bash": "ask" (dragoman.json). ' +
      'Nobody can be asked here, so it was not run. The user can allow it by starting with --yes, or with a line in ' +
      '"permissions" of dragoman.json: "bash": { "git push origin": "allow" }.',
  });
  expect(decideCall({ tool: 'files_list', subjects: [] }, permissions, 'headless')).toEqual({
    action: 'deny',
    message:
      'Asks because no rule covers "files_list". Nobody can be asked here, so it was not run. The user ' +
      'can allow it by starting with --yes, or with a line in "permissions" of dragoman.json: "files_list": "allow".',
  });
});

test('the lines to write are put together by tool, and left out where they are too many [ACC-24]', () => {
  const two = decideCall(bash('git push', 'make test'), permissions, 'headless');
  const many = decideCall(bash('a', 'b', 'c', 'd'), permissions, 'headless');

  expect(two).toMatchObject({ message: expect.stringContaining('{ "git push": "allow", "make test": "allow" }.') });
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

const PLACE = { cwd: '/nowhere/p', root: '/nowhere/p', home: '/nowhere/ann', inherited: new Set(['PATH', 'HOME']) };
const yes = async (command: string, config: Parameters<typeof rulesFromConfig>[0]) => {
  const { subjects, touched } = await readCommands(command, PLACE);
  const rules = compilePermissions(rulesFromConfig(config, 'dragoman.json'), { home: PLACE.home });
  return decideCall({ tool: 'bash', subjects: [...subjects, ...touched] }, rules, 'yes');
};

test.each([
  '$(echo rm) f',
  'X=rm; $X f',
  'sh <<< "rm f"',
  'echo cm0gZgo= | base64 -d | sh',
  `awk 'BEGIN{system("rm f")}'`,
  `awk '{print | "sh"}' a`,
  `awk 'BEGIN{"rm f" | getline}'`,
  'git -c alias.x=push x',
  'echo a\\\n#b; rm f; cat .env',
  'pwd <<DE\nD\\\nE\nrm f\nDE',
  'A=${B:-`rm f; cat .env`}; pwd',
])('yes beforehand is no yes to %s where something is denied, and the model is told [ACC-24]', async (command) => {
  expect(await yes(command, { bash: { 'rm *': 'deny' } })).toEqual({
    action: 'deny',
    message:
      'What this command runs cannot be told from its text, and there are rules that deny commands or files, which --yes ' +
      'does not lift. It was not run. Write the command out: no variables or substitutions in place of a command, no eval, ' +
      'no script that is piped into a shell, no line that goes on inside a word, and nothing quoted or run inside ${…}.',
  });
  expect(await yes(command, { read: { '.env': 'deny' } })).toMatchObject({ action: 'deny' });
  expect(await yes(command, { bash: 'ask', 'web-fetch': 'deny' })).toEqual({ action: 'allow' });
});

test.each(['git -C . push', 'git --no-pager push', 'git -c a=b push', 'git --git-dir=x push', '(sudo git -C . push)'])(
  'a deny of git push holds for %s [ACC-24]',
  async (command) => {
    expect(await yes(command, { bash: { 'git push *': 'deny' } })).toMatchObject({ action: 'deny' });
    expect(await yes(command, { bash: { 'git pull *': 'deny' } })).toEqual({ action: 'allow' });
  },
);

test.each(['cat .env', 'cat < .env', 'cp a .env', 'echo x >> .env', "python3 -c 'x' --f='.env'"])(
  'what is denied to read and edit is denied to %s, also after a yes beforehand [ACC-24]',
  async (command) => {
    const config = { read: { '.env': 'deny' }, edit: { '.env': 'deny' }, bash: 'allow' } as const;
    expect(await yes(command, config)).toMatchObject({
      action: 'deny',
      message: expect.stringMatching(/^"(read|edit)" on the path ".env" is denied because of the rule/),
    });
    expect(await yes(command, { ...config, read: { '.env': 'ask' }, edit: { '.env': 'ask' } })).toEqual({
      action: 'allow',
    });
  },
);

test.each([
  'echo "rm x" | sh',
  '$(echo rm) x',
  'coproc rm x',
  'X=rm; $X x',
  'eval "rm x"',
  'echo cm0geAo= | base64 -d | bash',
  "sh <<< 'rm x'",
  'source <(echo rm x)',
  'git -c alias.z=!rm z',
])('where rm is denied, %s is asked about although everything else is allowed [ACC-24]', async (command) => {
  const { subjects, touched } = await readCommands(command, PLACE);
  const rules = compilePermissions(rulesFromConfig({ bash: { '*': 'allow', 'rm *': 'deny' } }, 'dragoman.json'));
  const question = { tool: 'bash', subjects: [...subjects, ...touched] };

  expect(['ask', 'deny']).toContain(decideCall(question, rules, 'interactive').action);
  expect(decideCall(question, rules, 'headless').action).toBe('deny');
  expect(decideCall(question, rules, 'yes').action).toBe('deny');
});

test('a command that is too long to be read is asked about once, and denied where nobody can be asked or anything is denied', async () => {
  const place = { cwd: '/project', root: '/project', home: '/home/ann', inherited: new Set<string>() };
  const { subjects } = await readCommands('ls;'.repeat(8_000), place);
  const decide = (config: Parameters<typeof rulesFromConfig>[0], mode: Parameters<typeof decideCall>[2]) =>
    decideCall({ tool: 'bash', subjects }, compilePermissions(rulesFromConfig(config, 'dragoman.json')), mode);
  const reason = 'Asks because "bash" is called with more than can be checked at once.';

  expect(decide({ bash: { 'ls *': 'allow' } }, 'interactive')).toEqual({ action: 'ask', reason, always: [] });
  expect(decide({ bash: { 'ls *': 'allow' } }, 'headless')).toMatchObject({ action: 'deny' });
  expect(decide({ bash: { 'ls *': 'allow' } }, 'yes')).toEqual({ action: 'allow' });
  for (const mode of ['interactive', 'headless', 'yes'] as const)
    for (const bash of ['deny', { '*': 'allow', 'rm *': 'deny' }] as const)
      expect(decide({ bash }, mode)).toMatchObject({ action: 'deny' });
});
