import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { engine } from './serve-mcp.fixture.ts';
import { serveMcp } from './serve-mcp.ts';

const ARGS = ['--conditions=@dragoman/source', fileURLToPath(new URL('serve-mcp.fixture.ts', import.meta.url))];

const message = (value: object) => `${JSON.stringify({ jsonrpc: '2.0', ...value })}\n`;
const INITIALIZE = message({
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
});

describe('in a process of its own', () => {
  test.each(['legacy', 'auto'] as const)(
    'the official client finds the tools and calls them (%s negotiation)',
    async (mode) => {
      const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } });
      await client.connect(new StdioClientTransport({ command: process.execPath, args: ARGS, stderr: 'ignore' }));
      onTestFinished(() => client.close());

      expect(client.getServerVersion()).toMatchObject({ name: 'dragoman', version: '1.2.3' });
      expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy');
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
        'codebase-retrieval',
        'find-symbol',
        'list-workspaces',
      ]);
      expect(
        await client.callTool({ name: 'codebase-retrieval', arguments: { information_request: 'login' } }),
      ).toMatchObject({ content: [{ type: 'text', text: 'asked login in any' }] });
    },
  );

  test('its output is messages only, and it ends when its input ends', async () => {
    const child = spawn(process.execPath, ARGS, { stdio: ['pipe', 'pipe', 'pipe'] });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const errors = readAll(child.stderr);
    const output: string[] = [];
    child.stdin.write(INITIALIZE);
    child.stdin.write('this is no message\n');
    child.stdin.write(message({ id: 2, method: 'tools/call', params: { name: 'list-workspaces', arguments: {} } }));
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      output.push(chunk as string);
      if (output.join('').includes('"id":2')) child.stdin.end();
    }

    expect(await ended).toBe(0);
    expect(await errors).toBe('ended\n');
    expect(
      output
        .join('')
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: number }).id),
    ).toEqual([1, 2]);
  });
});

describe('over two streams', () => {
  function serve(options: Partial<Parameters<typeof serveMcp>[0]> = {}) {
    const input = new PassThrough();
    const output = new PassThrough();
    return { input, output, ended: serveMcp({ engine, version: '1', input, output, ...options }) };
  }

  test('a call that still runs when the input ends is called off', async () => {
    const started = Promise.withResolvers<AbortSignal>();
    const { input, ended } = serve({
      engine: {
        ...engine,
        retrieve: (_query, _folder, signal) => {
          started.resolve(signal);
          return new Promise(() => {});
        },
      },
    });
    input.write(INITIALIZE);
    input.write(
      message({
        id: 2,
        method: 'tools/call',
        params: { name: 'codebase-retrieval', arguments: { information_request: 'x' } },
      }),
    );
    const signal = await started.promise;
    input.end();

    await ended;
    expect(signal.aborted).toBe(true);
  });

  test('it ends when it is stopped, and when its output is gone', async () => {
    const stop = new AbortController();
    const stopped = serve({ signal: stop.signal });
    stop.abort();
    await stopped.ended;
    await serve({ signal: AbortSignal.abort() }).ended;

    const cut = serve();
    cut.output.destroy(new Error('gone'));
    await cut.ended;
    expect(cut.input.listenerCount('data')).toBe(0);
  });

  test('what is no message is reported, and the next message is answered', async () => {
    const errors: Error[] = [];
    const { input, output, ended } = serve({ onError: (error) => errors.push(error) });
    input.write('{"half\n');
    input.write('{"valid":"json, but no message"}\n');
    input.write(INITIALIZE);
    const [answer] = (await output.take(1).toArray()) as Buffer[];
    input.end();

    await ended;
    expect(JSON.parse(String(answer))).toMatchObject({ id: 1, result: { serverInfo: { name: 'dragoman' } } });
    expect(errors.length).toBeGreaterThanOrEqual(1);
  });
});
