import { fileURLToPath } from 'node:url';
import { runDragoman, tempFolder } from '@dragoman/testkit';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { codeBase, writeIn } from '../code-base.fixture.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/dragoman.js', import.meta.url));

async function connect(cwd: string, args: readonly string[] = [], home = tempFolder()) {
  const client = new Client({ name: 'test', version: '0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--conditions=@dragoman/source', PROGRAM, 'mcp', ...args],
    cwd,
    env: { ...(process.env as Record<string, string>), DRAGOMAN_HOME: home },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, given: Record<string, unknown>) => {
    const { content, isError = false } = await client.callTool({ name, arguments: given });
    return { text: (content as { text: string }[]).map(({ text }) => text).join(''), isError };
  };
  return { client, call, stderr: () => stderr };
}

test('the official client of the protocol asks about the folder it is in, which is indexed first and then followed', async () => {
  const root = codeBase();
  const { client, call, stderr } = await connect(root);

  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    'codebase-retrieval',
    'find-symbol',
    'list-workspaces',
  ]);
  expect(await call('list-workspaces', {})).toEqual({ text: 'There are no workspaces yet.', isError: false });

  const found = await call('codebase-retrieval', { information_request: 'how often is a failed call retried?' });
  expect(found.isError).toBe(false);
  expect(found.text).toMatch(/^[^\n]*\n*Path: src\/retry\.ts\n/);
  expect(found.text).toContain('MAX_RETRIES = 3');

  writeIn(root, 'src/bell.ts', 'export function ringTheBell() {\n  return true;\n}\n');
  expect((await call('find-symbol', { name: 'ringTheBell' })).text).toContain('Path: src/bell.ts');
  expect(await call('find-symbol', { name: 'no_such_name' })).toEqual({
    text: 'No definition of no_such_name was found.',
    isError: false,
  });
  expect((await call('list-workspaces', {})).text).toContain(root);
  expect(stderr()).toBe('');
});

test('another folder may be named when a person indexed it; any other is an error that the model can read', async () => {
  const [root, other] = [codeBase(), codeBase()];
  writeIn(other, 'src/bell.ts', 'export function ringTheBell() {\n  return true;\n}\n');
  const home = tempFolder();
  const { call } = await connect(root, ['--dir', root], home);
  const ask = (workspace_folder?: string) =>
    call('codebase-retrieval', {
      information_request: 'ringTheBell',
      ...(workspace_folder !== undefined && { workspace_folder }),
    });

  expect((await ask()).text).not.toContain('src/bell.ts');
  const refused = (folder: string) => ({
    text: `Failed to retrieve codebase information: ${folder} is neither in ${root} nor in an indexed folder. A person can add it with: dragoman index ${folder}`,
    isError: true,
  });
  expect(await ask(other)).toEqual(refused(other));
  expect(await ask('/')).toEqual(refused('/'));
  await runDragoman(['index', other], { home });
  expect((await ask(other)).text).toContain('Path: src/bell.ts');
  expect(await ask('/no/such/folder')).toEqual({
    text: 'Failed to retrieve codebase information: /no/such/folder is not a folder.',
    isError: true,
  });
  expect(await call('find-symbol', { name: 'ringTheBell', workspace_folder: '/no/such/folder' })).toEqual({
    text: '/no/such/folder is not a folder.',
    isError: true,
  });
});
