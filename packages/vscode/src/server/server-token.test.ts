import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { standInContext } from '../vscode.fixture.ts';
import { foreignToken, forgetForeignToken, keepForeignToken, newToken, ownToken } from './server-token.ts';

test('a token has 40 characters, none of which changes when it is upper-cased', () => {
  const tokens = Array.from({ length: 100 }, newToken);
  for (const token of tokens) expect(token).toMatch(/^[A-Z2-7]{40}$/);
  expect(new Set(tokens).size).toBe(100);
});

test('windows that ask at the same moment get one token, which stays', async () => {
  const storage = tempFolder();
  const { secrets } = standInContext(storage);
  const tokens = await Promise.all(Array.from({ length: 20 }, () => ownToken(secrets, storage)));
  expect(new Set(tokens).size).toBe(1);
  expect(await ownToken(secrets, storage)).toBe(tokens[0]);
});

test('a token that was promised and never came is made anew', async () => {
  const storage = tempFolder();
  await ownToken(standInContext(storage).secrets, storage);
  const { secrets } = standInContext(storage);
  const token = await ownToken(secrets, storage, { patienceMs: 0 });
  expect(token).toMatch(/^[A-Z2-7]{40}$/);
  expect(await ownToken(secrets, storage)).toBe(token);
});

test('the token of a server belongs to its address and is given for no other', async () => {
  const { secrets } = standInContext(tempFolder());
  await keepForeignToken(secrets, 'http://127.0.0.1:4747', 'T');
  expect(await foreignToken(secrets, 'http://127.0.0.1:4747')).toBe('T');
  expect(await foreignToken(secrets, 'http://127.0.0.1:4748')).toBeUndefined();
  expect(await foreignToken(secrets, 'https://127.0.0.1:4747')).toBeUndefined();
  await forgetForeignToken(secrets);
  expect(await foreignToken(secrets, 'http://127.0.0.1:4747')).toBeUndefined();
});
