import { expect, test } from 'vitest';
import { secretPlaces, withoutSecrets } from './secret-places.ts';

test('keys are looked for where programs keep them', () => {
  expect(secretPlaces('/home/a')).toEqual(
    expect.arrayContaining(['/home/a/.ssh', '/home/a/.aws', '/home/a/.config', '/home/a/.netrc']),
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
