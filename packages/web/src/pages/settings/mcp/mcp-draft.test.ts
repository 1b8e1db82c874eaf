import { expect, test } from 'vitest';
import { keptServer, mcpDraftOf, mcpMistakes, NEW_SERVER, triedServer } from './mcp-draft.ts';

test('a server is a command with variables, or an address with headers', () => {
  const command = { ...NEW_SERVER, name: 'files', command: 'npx -y files ~/notes', cwd: '/code' };
  const address = {
    ...NEW_SERVER,
    kind: 'url',
    name: 'web',
    url: ' https://example.com/mcp ',
    headers: [{ id: 0, name: 'Authorization', value: 'Bearer k' }],
  } as const;

  expect(keptServer(command)).toEqual({
    setting: { command: ['npx', '-y', 'files', '~/notes'], cwd: '/code' },
    secrets: {},
  });
  expect(triedServer(address)).toEqual({ url: 'https://example.com/mcp', headers: { Authorization: 'Bearer k' } });
  expect(keptServer(address)).toEqual({
    setting: { url: 'https://example.com/mcp', headers: { Authorization: '{secret:mcp.web.headers.Authorization}' } },
    secrets: { 'mcp.web.headers.Authorization': 'Bearer k' },
  });
  expect([mcpMistakes(command, []), mcpMistakes(address, [])]).toEqual([{}, {}]);
});

test('settings without a field stay as they are when a server is edited', () => {
  const setting = { url: 'https://example.com/mcp', headers: { A: '{secret:a}' }, transport: 'sse', enabled: false };

  expect(keptServer(mcpDraftOf('web', setting))).toEqual({ setting, secrets: {} });
});

test('every mistake has its field', () => {
  expect(mcpMistakes(NEW_SERVER, [])).toEqual({ name: 'bad', command: 'missing' });
  expect(mcpMistakes({ ...NEW_SERVER, kind: 'url', name: 'a', url: 'ftp://x' }, ['a'])).toEqual({
    name: 'taken',
    url: 'bad',
  });
});
