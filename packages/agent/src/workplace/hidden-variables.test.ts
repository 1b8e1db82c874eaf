import { expect, test } from 'vitest';
import { hiddenVariables } from './hidden-variables.ts';

test('what the configuration refers to is hidden, but not what every program needs', () => {
  expect(hiddenVariables(['OPENAI_KEY', 'HOME', 'Path', 'LC_ALL', 'XDG_DATA_HOME', 'HOME_TOKEN', 'MY_PATH'])).toEqual([
    'OPENAI_KEY',
    'HOME_TOKEN',
    'MY_PATH',
  ]);
});
