import { expect, test } from 'vitest';
import { judgeName } from './secret-names.ts';

test.each([
  'password',
  'Password',
  'db_password',
  'adminPassword',
  'PASSWD',
  'sshPassphrase',
  'api_key',
  'apiKey',
  'APIKey',
  'x-api-key',
  'myapikey',
  'access_token',
  'accessToken',
  'refreshToken',
  'REFRESH-TOKEN',
  'id_token',
  'session_token',
  'secret',
  'client_secret',
  'clientSecret',
  'clientsecret',
  'webhookSecret',
  'secretAccessKey',
  'private_key',
  'privateKey',
  'signing-key',
  'credential',
  'credentials',
  'authorization',
  'Proxy-Authorization',
  'Cookie',
  'set-cookie',
  'connectionString',
  'password2',
  'API_KEY_2',
  'DB_PASSWORD_PROD',
  'SecretString',
  'client-key-data',
  'passcode',
  'pass_word',
  'passwords',
])('%s is the name of a secret', (name) => {
  expect(judgeName(name)).toBe('secret');
});

test.each(['token', 'Token', 'auth', 'pass', 'signature', 'pwd', 'PWD', 'storageKey', 'sessionKey', 'dbpasswordtoken'])(
  '%s may be the name of a secret',
  (name) => {
    expect(judgeName(name)).toBe('maybe');
  },
);

test.each([
  'max_tokens',
  'inputTokens',
  'completion_tokens',
  'tokenCount',
  'token_type',
  'nextPageToken',
  'next_page_token',
  'continuationToken',
  'public_key',
  'primaryKey',
  'cacheKey',
  'key',
  'keyword',
  'passed',
  'compass',
  'secretary',
  'author',
  'authors',
  'hasPassword',
  'password_hint',
  'passwordRules',
  'cookieBanner',
  'testPasswordStrength',
  'nextPageToken2',
  'a_'.repeat(200) + 'password',
  '',
])('%j is the name of something else', (name) => {
  expect(judgeName(name)).toBe('open');
});
