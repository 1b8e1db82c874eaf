import { mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { gitEnvironment } from './git-environment.ts';

const given = { GIT_DIR: '/x', GIT_CONFIG_PARAMETERS: 'x', GIT_CONFIG_GLOBAL: '/g', DRAGOMAN_TOKEN: 's', HOME: '/h' };

test('nothing of the environment points git elsewhere or knows our secrets, and nothing of the repository runs', () => {
  expect(gitEnvironment(given, { folder: '/nowhere', settings: [['core.quotePath', 'false']] })).toEqual({
    HOME: '/h',
    GIT_CONFIG_GLOBAL: '/g',
    LC_ALL: 'C.UTF-8',
    GIT_EDITOR: ':',
    GIT_SEQUENCE_EDITOR: ':',
    GIT_PAGER: 'cat',
    GIT_ASKPASS: '',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    ...settings(
      'core.fsmonitor=false',
      'safe.bareRepository=explicit',
      'submodule.recurse=false',
      'core.hooksPath=/dev/null',
      'core.sshCommand=/dev/null',
      'core.alternateRefsCommand=/dev/null',
      'credential.helper=',
      'diff.ignoreSubmodules=dirty',
      'diff.submodule=short',
      'gc.auto=0',
      'gpg.program=/dev/null',
      'gpg.ssh.program=/dev/null',
      'gpg.x509.program=/dev/null',
      'log.showSignature=false',
      'maintenance.auto=false',
      'status.submoduleSummary=false',
      'core.quotePath=false',
    ),
  });
});

test('where hooks are wanted they run as for the person, who may have a network', () => {
  expect(gitEnvironment({}, { folder: '/nowhere', runsHooks: true })).toEqual({
    LC_ALL: 'C.UTF-8',
    GIT_EDITOR: ':',
    GIT_SEQUENCE_EDITOR: ':',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    ...settings('core.fsmonitor=false', 'safe.bareRepository=explicit', 'submodule.recurse=false'),
  });
});

test('no program is looked for in the project, whatever the search path says', () => {
  const base = tempFolder();
  const project = join(base, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  mkdirSync(join(project, 'packages', 'a'), { recursive: true });
  mkdirSync(join(project, 'bin'));
  symlinkSync(join(project, 'bin'), join(base, 'link'));
  const entries = [
    join(project, 'node_modules/.bin'),
    '.',
    '',
    'tools',
    join(base, 'link'),
    '/usr/bin',
    join(base, 'bin'),
  ];

  for (const folder of [project, join(project, 'packages', 'a')])
    expect(gitEnvironment({ PATH: entries.join(delimiter) }, { folder })['PATH']).toBe(
      ['/usr/bin', join(base, 'bin')].join(delimiter),
    );
});

function settings(...lines: string[]): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(lines.length) };
  for (const [at, line] of lines.entries()) {
    variables[`GIT_CONFIG_KEY_${at}`] = line.slice(0, line.indexOf('='));
    variables[`GIT_CONFIG_VALUE_${at}`] = line.slice(line.indexOf('=') + 1);
  }
  return variables;
}
