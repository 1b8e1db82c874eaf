import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMcpConfig } from './mcp.fixture.ts';
import { mcpTarget } from './mcp-target.ts';

const settings = (server: unknown) => parseMcpConfig({ mcp: { server } }).mcp['server']!;
const shown = (server: unknown) => mcpTarget(settings(server)).shown;

test('an ordinary command or address is shown as it is', () => {
  for (const command of [
    ['npx', '-y', '@modelcontextprotocol/server-filesystem', '/home/ada/code'],
    ['uvx', 'mcp-server-git', '--repository', './project-2026'],
    ['docker', 'run', '-i', '--rm', 'ghcr.io/github/github-mcp-server:0.24.1'],
    ['/usr/bin/node', '--no-warnings', 'server.ts', '--max-tokens', '--port=4747'],
  ])
    expect(shown({ command })).toBe(command.join(' '));
  expect(shown({ url: 'https://mcp.example.com:8443/v1/mcp' })).toBe('https://mcp.example.com:8443/v1/mcp');
});

test('keys in arguments, addresses, variables and headers are masked, and in what the server says too', () => {
  expect(
    shown({
      command: [
        'npx',
        'remote',
        'https://ada:pw@example.com/s/Zm9vYmFyYmF6cXV4MTIz/mcp?key=k&x=1',
        '--token',
        'abc',
        '-v',
      ],
    }),
  ).toBe('npx remote https://••••••@example.com/s/••••••/mcp?key=••••••&x=1 --token •••••• -v');
  expect(shown({ command: ['npx', 'remote', '--header', 'Authorization: Bearer s3cret', '--api-key=s3cret'] })).toBe(
    'npx remote --header Authorization: •••••• --api-key=••••••',
  );
  expect(
    shown({ command: ['docker', 'run', '-e', 'GITHUB_TOKEN=s3cret', '-e', 'MODE=fast', 'ghp_012345678901'] }),
  ).toBe('docker run -e GITHUB_TOKEN=•••••• -e MODE=fast ••••••');
  expect(shown({ command: ['server', 'from-the-env'], env: { KEY: 'from-the-env' } })).toBe('server ••••••');

  const { hide } = mcpTarget(settings({ command: ['server', '--header', 'Authorization: Bearer s3cret-one'] }));
  expect(hide('401: the key s3cret-one is not known')).toBe('401: the key •••••• is not known');
});

test('whatever a key looks like, it is not shown behind a word that announces one, nor in a query', () => {
  const key = fc
    .stringMatching(/^[\w.~+/=-]{6,60}$/)
    .filter((text) => !text.startsWith('-') && !/^(?:server|https?)/.test(text));
  fc.assert(
    fc.property(key, (secret) => {
      const unlikely = `${secret}Q7`;
      for (const server of [
        { command: ['server', '--api-key', unlikely] },
        { command: ['server', `--password=${unlikely}`] },
        { command: ['server', '-H', `X-Auth-Token:${unlikely}`] },
        { url: `https://example.com/mcp?k=${unlikely}` },
        { url: 'https://example.com/mcp', headers: { 'x-key': unlikely } },
      ]) {
        const target = mcpTarget(settings(server));
        expect(target.shown).not.toContain(unlikely);
        expect(target.hide(`it said ${unlikely}!`)).not.toContain(unlikely);
      }
    }),
  );
});
