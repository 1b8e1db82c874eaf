import type { Secret } from '@dragoman/server/base';
import { expect, test } from 'vitest';
import { decodeMcpServers } from './decode-mcp-servers.ts';

test('servers of every kind are named as the configuration would, and what may be secret is kept so', () => {
  const servers = decodeMcpServers([
    { name: 'files', command: 'npx', args: ['-y', 'files'], env: [{ name: 'TOKEN', value: 'one' }] },
    { type: 'http', name: 'issues', url: 'https://example.com/mcp', headers: [{ name: 'x-key', value: 'two' }] },
    { type: 'sse', name: 'old', url: 'https://example.com/sse', headers: [] },
  ]);

  expect(JSON.parse(JSON.stringify(servers))).toEqual({
    files: { command: ['npx', '-y', 'files'], env: { TOKEN: '••••••' }, enabled: true },
    issues: { url: 'https://example.com/mcp', transport: 'http', headers: { 'x-key': '••••••' }, enabled: true },
    old: { url: 'https://example.com/sse', transport: 'sse', headers: {}, enabled: true },
  });
  const { env } = servers['files'] as { env: Record<string, Secret> };
  expect(env['TOKEN']!.reveal()).toBe('one');
});
