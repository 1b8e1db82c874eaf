import { expect, test } from 'vitest';
import { secretPlaces, withoutSecrets } from './secret-places.ts';

test('keys are looked for where programs keep them', () => {
  expect(secretPlaces('/home/a')).toEqual(
    expect.arrayContaining(
      ['.ssh', '.aws', '.config', '.netrc', '.gnupg', '.local/share/dragoman', '.git-credentials', '.bash_history'].map(
        (place) => `/home/a/${place}`,
      ),
    ),
  );
});

test('an environment loses what is named like a key, what is ours, and addresses with a password', () => {
  const kept = {
    PATH: '/usr/bin',
    PWD: '/work',
    OLDPWD: '/',
    KEYBOARD: 'us',
    MONKEY_PATCH: '1',
    GIT_AUTHOR_NAME: 'A',
    PROXY: 'http://proxy:8080',
  };
  const lost = {
    OPENAI_API_KEY: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    GITHUB_TOKEN: 'x',
    npm_config__auth: 'x',
    PGPASSWORD: 'x',
    DB_PASSWORD: 'x',
    SSH_AUTH_SOCK: '/run/x',
    DRAGOMAN_HOME: '/srv',
    DATABASE_URL: 'postgres://me:secret@db/x',
    UNSET: undefined,
  };

  expect(withoutSecrets({ ...kept, ...lost })).toEqual(kept);
});
