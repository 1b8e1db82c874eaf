import { tempFolder } from '@dragoman/testkit';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { commandEnvironment } from './command-environment.ts';
import { findShell } from './find-shell.ts';

test('a command gets the variables of the user, without secrets of ours and with hints that nobody watches [FR-32]', () => {
  const inherited = {
    HOME: '/home/ann',
    OPENAI_API_KEY: 'k',
    DRAGOMAN_TOKEN: 't',
    DRAGOMAN_DATABASE_URL: 'postgres://u:p@h/d',
    DRAGOMAN_BYOK_API_KEY: 'k',
    FORCE_COLOR: '1',
    CDPATH: '/home/ann',
    npm_lifecycle_event: 'start',
    npm_config_registry: 'https://example.com',
    PAGER: 'less',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'user.name',
    GIT_CONFIG_VALUE_0: 'Ann',
    GONE: undefined,
  };

  expect(commandEnvironment({ inherited, hidden: ['OPENAI_API_KEY'], added: { EXTRA: 'yes' } })).toEqual({
    HOME: '/home/ann',
    npm_config_registry: 'https://example.com',
    TERM: 'dumb',
    NO_COLOR: '1',
    CLICOLOR: '0',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    MANPAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
    DEBIAN_FRONTEND: 'noninteractive',
    PIP_NO_INPUT: '1',
    EXTRA: 'yes',
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'user.name',
    GIT_CONFIG_VALUE_0: 'Ann',
    GIT_CONFIG_KEY_1: 'safe.bareRepository',
    GIT_CONFIG_VALUE_1: 'explicit',
  });
});

test('bash is taken where it is found, else sh; without either it is said plainly [FR-32]', () => {
  const [one, two] = [tempFolder(), tempFolder()];
  const program = (path: string) => {
    writeFileSync(path, '#!/bin/sh\n');
    chmodSync(path, 0o755);
  };
  program(join(one, 'sh'));
  mkdirSync(join(one, 'bash'));

  expect(findShell([one, two].join(delimiter))).toBe(join(one, 'sh'));
  program(join(two, 'bash'));
  expect(findShell([one, two].join(delimiter))).toBe(join(two, 'bash'));
  expect(() => findShell(tempFolder())).toThrow('neither "bash" nor "sh" is in the folders of PATH (1 looked at)');
});
