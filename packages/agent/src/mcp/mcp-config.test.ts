import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { parseMcpConfig } from './mcp.fixture.ts';

test('servers are programs or addresses, with limits and what is usual filled in [FR-48]', () => {
  expect(parseMcpConfig({})).toEqual({ mcp: {}, mcp_timeout: 60_000 });
  expect(
    parseMcpConfig({
      mcp: {
        files: { command: ['npx', '-y', 'files'], cwd: 'sub', timeout: 5000 },
        remote: { url: 'https://example.com/mcp', transport: 'sse', oauth: false, enabled: false },
      },
      mcp_timeout: 1000,
    }),
  ).toEqual({
    mcp: {
      files: { command: ['npx', '-y', 'files'], env: {}, cwd: 'sub', timeout: 5000, enabled: true },
      remote: { url: 'https://example.com/mcp', transport: 'sse', headers: {}, oauth: false, enabled: false },
    },
    mcp_timeout: 1000,
  });
});

test('keys given to a server are not shown', () => {
  const config = parseMcpConfig({
    mcp: {
      files: { command: ['x'], env: { KEY: 'secret-one' } },
      remote: { url: 'https://x.org', headers: { key: 'secret-two' }, oauth: { clientSecret: 'secret-three' } },
    },
  });

  expect(JSON.stringify(config) + inspect(config, { depth: 9 })).not.toContain('secret-');
});

test.each([
  {},
  { command: 'npx files' },
  { command: [] },
  { command: ['x'], url: 'https://x.org' },
  { command: ['x'], headers: {} },
  { url: 'ftp://x.org' },
  { url: 'https://x.org', transport: 'carrier pigeon' },
  { url: 'https://x.org', oauth: true },
  { url: 'https://x.org', oauth: { clientID: 'x' } },
  { command: ['x'], timeout: 0 },
])('a mistake in a server is refused: %j', (server) => {
  expect(() => parseMcpConfig({ mcp: { server } })).toThrow(/"mcp",\s+"server"/);
});
