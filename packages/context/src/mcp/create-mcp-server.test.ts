import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { codebaseRetrievalTool } from '../tool/codebase-retrieval-tool.ts';
import { createMcpServer } from './create-mcp-server.ts';
import type { McpEngine } from './mcp-engine.ts';
import { engine } from './serve-mcp.fixture.ts';

async function connect(served: McpEngine = engine): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer(served, '1.2.3');
  const client = new Client({ name: 'test', version: '0' });
  await Promise.all([server.connect(there), client.connect(here)]);
  onTestFinished(() => client.close());
  return client;
}

const text = (value: string) => [{ type: 'text', text: value }];

test('it says who it is and offers three tools that only read, so that nobody need be asked [SYNC-81]', async () => {
  const client = await connect();
  const { tools } = await client.listTools();

  expect(client.getServerVersion()).toMatchObject({ name: 'dragoman', version: '1.2.3' });
  expect(client.getInstructions()).toContain('codebase-retrieval');
  expect(
    tools.map(({ name, inputSchema, annotations }) => ({
      name,
      parameters: Object.keys(inputSchema.properties ?? {}),
      required: inputSchema.required ?? [],
      isReading: annotations?.readOnlyHint,
    })),
  ).toEqual([
    {
      name: 'codebase-retrieval',
      parameters: ['information_request', 'workspace_folder'],
      required: ['information_request'],
      isReading: true,
    },
    { name: 'find-symbol', parameters: ['name', 'limit', 'workspace_folder'], required: ['name'], isReading: true },
    { name: 'list-workspaces', parameters: [], required: [], isReading: true },
  ]);
});

test('codebase-retrieval is described as everywhere else', async () => {
  const { tools } = await (await connect()).listTools();
  const tool = tools.find(({ name }) => name === codebaseRetrievalTool.name);

  expect(tool).toMatchObject({
    title: 'Context Engine',
    description: codebaseRetrievalTool.description,
    inputSchema: { properties: codebaseRetrievalTool.inputSchema['properties'] },
  });
});

describe('codebase-retrieval', () => {
  test('answers with the text of the retrieval, from the workspace that was named', async () => {
    const client = await connect();
    const ask = (args: Record<string, unknown>) => client.callTool({ name: 'codebase-retrieval', arguments: args });

    expect(await ask({ information_request: 'login' })).toMatchObject({ content: text('asked login in any') });
    expect(await ask({ information_request: 'login', workspace_folder: '/work/shop' })).toMatchObject({
      content: text('asked login in /work/shop'),
    });
    for (const none of [null, '', ' '])
      expect(await ask({ information_request: 'login', workspace_folder: none })).toMatchObject({
        content: text('asked login in any'),
      });
  });

  test('SYNC-83 tells what went wrong in a result', async () => {
    const client = await connect();

    expect(
      await client.callTool({ name: 'codebase-retrieval', arguments: { information_request: 'break' } }),
    ).toMatchObject({ content: text('Failed to retrieve codebase information: the index is closed'), isError: true });
    expect(
      await client.callTool({ name: 'codebase-retrieval', arguments: { information_request: '  ' } }),
    ).toMatchObject({ isError: true });
    expect(await client.callTool({ name: 'codebase-retrieval', arguments: {} })).toMatchObject({ isError: true });
  });

  test('is called off when the client cancels', async () => {
    const stopped = Promise.withResolvers<string>();
    const started = Promise.withResolvers<void>();
    const client = await connect({
      ...engine,
      retrieve: (_query, _folder, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            stopped.resolve('stopped');
            reject(signal.reason as Error);
          });
          started.resolve();
        }),
    });
    const cancel = new AbortController();
    const call = client.callTool(
      { name: 'codebase-retrieval', arguments: { information_request: 'x' } },
      { signal: cancel.signal },
    );
    const outcome = call.then(
      () => 'answered',
      () => 'refused',
    );
    await started.promise;
    cancel.abort();

    expect([await outcome, await stopped.promise]).toEqual(['refused', 'stopped']);
  });
});

describe('find-symbol', () => {
  test('shows the definitions like an answer, ten at most unless told otherwise', async () => {
    const client = await connect();

    expect(
      await client.callTool({ name: 'find-symbol', arguments: { name: 'pay', workspace_folder: 'shop', limit: 2 } }),
    ).toMatchObject({
      content: text(`The following code sections were retrieved:
Path: src/shop-2.ts
     1\tfunction pay() {
     2\t}
Path: src/shop-2.ts
    11\tfunction pay() {
    12\t}
`),
    });
    expect(await client.callTool({ name: 'find-symbol', arguments: { name: 'pay', limit: null } })).toMatchObject({
      content: [{ text: expect.stringContaining('Path: src/any-10.ts\n') }],
    });
  });

  test('says so where there is none, and tells what went wrong in a result', async () => {
    const client = await connect();
    const find = (args: Record<string, unknown>) => client.callTool({ name: 'find-symbol', arguments: args });

    expect(await find({ name: 'nothing' })).toMatchObject({ content: text('No definition of nothing was found.') });
    expect(await find({ name: 'break', workspace_folder: '/gone' })).toMatchObject({
      content: text('no workspace at /gone'),
      isError: true,
    });
    for (const limit of [0, 51, 1.5, 'many'])
      expect(await find({ name: 'pay', limit })).toMatchObject({ isError: true });
  });
});

test('list-workspaces names each with its folder and files', async () => {
  const client = await connect();
  const empty = await connect({ ...engine, listWorkspaces: async () => [] });

  expect(await client.callTool({ name: 'list-workspaces' })).toMatchObject({
    content: text('shop: /work/shop (120 files, 3 more being indexed)\nnotes: /work/notes (1 file)'),
  });
  expect(await empty.callTool({ name: 'list-workspaces' })).toMatchObject({
    content: text('There are no workspaces yet.'),
  });
});
