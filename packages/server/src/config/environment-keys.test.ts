import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { hiddenVariables, ownEnvironment, takeKeysFromEnvironment } from './environment-keys.ts';

test('variables that every program needs stay visible, and other ones that the configuration refers to do not', () => {
  expect(hiddenVariables(['OPENAI_KEY', 'HOME', 'Path', 'LC_ALL', 'XDG_DATA_HOME', 'HOME_TOKEN', 'MY_PATH'])).toEqual([
    'OPENAI_KEY',
    'HOME_TOKEN',
    'MY_PATH',
  ]);
});

test('a program that is started does not inherit a key that the configuration refers to, and the configuration still finds it', () => {
  process.env['DRAGOMAN_TEST_KEY_OF_A_PROVIDER'] = 'key-of-a-provider';

  takeKeysFromEnvironment(['DRAGOMAN_TEST_KEY_OF_A_PROVIDER', 'PATH', 'NOT_THERE_AT_ALL']);
  takeKeysFromEnvironment(['DRAGOMAN_TEST_KEY_OF_A_PROVIDER']);

  const inherited = execFileSync(process.execPath, ['-p', 'JSON.stringify(process.env)'], { encoding: 'utf8' });
  expect(inherited).not.toContain('key-of-a-provider');
  expect(inherited).toContain('"PATH"');
  expect(ownEnvironment()['DRAGOMAN_TEST_KEY_OF_A_PROVIDER']).toBe('key-of-a-provider');
});
