import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('without servers the client library is not even loaded', async () => {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ resolve(specifier, context, next) { loaded.push(specifier); return next(specifier, context); } });
    const { openMcpServers } = await import(${JSON.stringify(fileURLToPath(new URL('mcp-servers.ts', import.meta.url)))});
    const options = { registry: {}, log: { info() {} }, onProblem() {} };
    const servers = openMcpServers({ ...options, config: () => ({ mcp: { off: { command: ['x'], env: {}, enabled: false } }, mcp_timeout: 1 }) });
    await servers.ready(1000);
    console.log(JSON.stringify([servers.status(), loaded.filter((name) => name.includes('modelcontextprotocol')), loaded.length > 0]));
    await servers.close();`;

  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [
    '--conditions=@dragoman/source',
    '--input-type=module',
    '-e',
    script,
  ]);

  expect(JSON.parse(stdout)).toEqual([[{ name: 'off', tools: 0, state: 'disabled' }], [], true]);
});
