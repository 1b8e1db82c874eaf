import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SecretsFile } from '@dragoman/server/base';
import { tempFolder } from '@dragoman/testkit';
import { expect, test, vi } from 'vitest';
import { mcpAuth, mcpLoginUses } from './mcp-auth-store.ts';

const URL = 'https://login.example/authorize?state=1&scope=a%20b';

test('logins are kept in the file of secrets, which only its owner can read, beside what is there', async () => {
  const secretsFile = join(tempFolder(), 'secrets.json');
  new SecretsFile(secretsFile).set('OPENAI', 'key');
  const { store } = mcpAuth({ secretsFile });

  await store.set('docs', '{"tokens":1}');
  await store.set('My Files/é_', '{"tokens":2}');

  expect(statSync(secretsFile).mode & 0o777).toBe(0o600);
  expect([...new SecretsFile(secretsFile).read()]).toEqual([
    ['OPENAI', 'key'],
    ['mcp-login.docs', '{"tokens":1}'],
    ['mcp-login.My_20Files_2f_c3_a9_5f', '{"tokens":2}'],
  ]);
  const later = mcpAuth({ secretsFile }).store;
  expect(await later.get('My Files/é_')).toBe('{"tokens":2}');
  expect(await later.get('other')).toBeUndefined();
  await later.delete('docs');
  await later.delete('docs');
  expect([...new SecretsFile(secretsFile).read().keys()]).toEqual(['OPENAI', 'mcp-login.My_20Files_2f_c3_a9_5f']);
});

test('a secret that is a login is known as one', () => {
  expect(mcpLoginUses('mcp-login.My_20Files_2f_c3_a9_5f')).toEqual(['the login at the MCP server My Files/é_']);
  for (const other of ['OPENAI', 'mcp-login.', 'mcp-login._zz']) expect(mcpLoginUses(other)).toEqual([]);
});

/** A screen with a browser that notes what it was asked to open. */
function desk() {
  const folder = tempFolder();
  const opened = join(folder, 'opened');
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(folder, name), `#!/bin/sh\nprintf '%s' "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const env = { PATH: `${folder}:${process.env['PATH']}`, DISPLAY: ':0' };
  const printed: string[] = [];
  const print = (text: string) => printed.push(text);
  const auth = (isAtTerminal: boolean, options: Partial<Parameters<typeof mcpAuth>[0]> = {}) =>
    mcpAuth({ secretsFile: join(folder, 'secrets.json'), print, isAtTerminal, env, platform: 'linux', ...options });
  return { auth, opened, printed };
}

test.each(['linux', 'darwin'] as const)(
  'at a terminal the address to log in at is printed, and opened in a browser on %s',
  async (platform) => {
    const { auth, opened, printed } = desk();

    await auth(true, { platform }).openBrowser!(URL);

    expect(printed).toEqual([`An MCP server asks you to log in. Open this address in a browser:\n${URL}`]);
    await vi.waitFor(() => expect(existsSync(opened)).toBe(true), 60_000);
    expect(readFileSync(opened, 'utf8')).toBe(URL);
  },
);

test('without a terminal, a screen or a browser the address is only printed', async () => {
  const { auth, opened, printed } = desk();

  await auth(false).openBrowser!(URL);
  await auth(true, { env: { PATH: '/nowhere' } }).openBrowser!(URL);
  await auth(true, { platform: 'win32' }).openBrowser!(URL);
  await auth(true, { env: { PATH: '/nowhere', WAYLAND_DISPLAY: 'w' } }).openBrowser!(URL);

  expect(printed).toHaveLength(4);
  expect(existsSync(opened)).toBe(false);
});
