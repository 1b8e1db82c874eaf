import { beforeAll, expect, test, vi } from 'vitest';
import type { Tool } from '../tools/tool.ts';
import { convertMcpTool } from './convert-mcp-tool.ts';
import { fixture, startServers, type TestedServers } from './mcp.fixture.ts';

let servers: TestedServers;

beforeAll(async () => {
  vi.stubEnv('DRAGOMAN_SECRET_OF_OURS', 'do not tell');
  servers = startServers({ 'My Files': { command: fixture('stdio-server'), env: { GIVEN: 'yes', EMPTY: '' } } });
  await servers.ready(25_000);
  vi.unstubAllEnvs();
  return () => servers.close();
});

test('the tools of a server are registered under its name and run like any other tool [FR-41] [FR-42] [FR-47]', async () => {
  expect(servers.status()).toEqual([{ name: 'My Files', state: 'connected', tools: 9 }]);
  expect(await servers.call('My_Files_echo', { text: 'hello' })).toEqual({
    title: 'Echo',
    output: 'hello',
    attachments: [],
    metadata: { server: 'My Files', tool: 'echo' },
  });
  expect(servers.instructions()).toEqual([{ server: 'My Files', text: 'Ask for an echo.' }]);
});

test('a tool that arrives over the wire keeps its schema and its descriptions to the letter [FR-43]', () => {
  const { description, parameters } = servers.tools.get('My_Files_echo')!;

  expect({ description, parameters }).toEqual({
    description: 'Says it again.\n\nExactly.',
    parameters: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { text: { type: 'string', description: 'What to say.' } },
      required: ['text'],
    },
  });
});

test('what a server lists is in the registry as convertMcpTool makes it, and nothing else is [FR-49]', () => {
  const names = ['echo', 'fail', 'mixed', 'environment', 'pid', 'helper', 'hang', 'work', 'grow'];
  const made = names.map((name) => {
    const { description, parameters, isReadOnly } = servers.tools.get(`My_Files_${name}`)!;
    const tool = {
      name,
      description,
      inputSchema: parameters as Record<string, unknown>,
      annotations: { readOnlyHint: isReadOnly === true },
    };
    return convertMcpTool({ clientName: 'My Files', tool, call: () => Promise.resolve({}), timeoutMs: 60_000 });
  });

  expect([...servers.tools.values()].map(facts)).toEqual(made.map(facts));
});

function facts(tool: Tool.Info): object {
  return {
    ...tool,
    execute: String(tool.execute),
    timeoutMs: tool.timeoutMs?.({}),
  };
}

test('text, images and resources of a real result come through in their order [FR-46]', async () => {
  const { output, attachments } = await servers.call('My_Files_mixed');

  expect(output.split('\n')).toEqual([
    'before',
    '[attachment 1: image-1, image/png]',
    'between',
    '[attachment 2: a b.txt, text/plain]',
    'mcp://My%20Files/file%3A%2F%2F%2Fa%20b.txt:',
    'the notes',
    '[attachment 3: logo.png, image/png]',
    '[resource: mcp://My%20Files/file%3A%2F%2F%2Fmore.md, more, text/markdown]',
    'after',
  ]);
  expect(attachments?.map(({ mime, url }) => [mime, url])).toEqual([
    ['image/png', 'data:image/png;base64,iVBORw0KGgo='],
    ['text/plain', 'mcp://My%20Files/file%3A%2F%2F%2Fa%20b.txt'],
    ['image/png', 'data:image/png;base64,iVBORw0KGgo='],
  ]);
});

test('what a running call reports is shown at once', async () => {
  const shown: unknown[] = [];

  const { output } = await servers.call('My_Files_work', {}, { metadata: (update) => shown.push(update) });

  expect(output).toBe('worked');
  expect(shown).toEqual([
    { title: 'step 1', metadata: { server: 'My Files', tool: 'work', progress: 1, total: 2, message: 'step 1' } },
    { title: 'step 2', metadata: { server: 'My Files', tool: 'work', progress: 2, total: 2, message: 'step 2' } },
  ]);
});

test('what a tool says it could not do is a tool error', async () => {
  await expect(servers.call('My_Files_fail')).rejects.toMatchObject({
    name: 'ToolError',
    message: 'The disk is full.',
  });
  await expect(servers.call('My_Files_echo', { text: 5 })).rejects.toMatchObject({ name: 'ToolError' });
});

test('prompts are commands, with arguments by name or as they were typed', async () => {
  expect(servers.listCommands()).toEqual([
    {
      name: 'My Files:review',
      description: 'Reviews a file.',
      arguments: [
        { name: 'path', description: 'Which file.', isRequired: true },
        { name: 'focus', isRequired: false },
      ],
    },
  ]);
  expect(await servers.expandCommand('My Files:review', { path: 'a.ts' })).toEqual({
    output: 'Review a.ts for everything.',
    attachments: [],
  });
  expect(await servers.expandCommand('My Files:review', '"my file.ts" style and names')).toMatchObject({
    output: 'Review my file.ts for style and names.',
  });
  await expect(servers.expandCommand('My Files:review', '')).rejects.toMatchObject({
    code: 'bad-request',
    message: '/My Files:review needs path; it takes <path> [focus]',
  });
  await expect(servers.expandCommand('My Files:none', '')).rejects.toMatchObject({ code: 'not-found' });
});

test('a resource is read by its address, and keeps its content [FR-44] [FR-45]', async () => {
  expect(await servers.listResources()).toEqual([
    {
      clientName: 'My Files',
      uri: 'mcp://My%20Files/file%3A%2F%2F%2Fa%2520b.txt',
      name: 'notes',
      description: 'Notes.',
      mime: 'text/plain',
    },
    {
      clientName: 'My Files',
      uri: 'mcp://My%20Files/file%3A%2F%2F%2Flogo.png',
      name: 'logo',
      description: '',
      mime: 'image/png',
    },
  ]);
  expect(await servers.readMcpResource('mcp://My%20Files/file%3A%2F%2F%2Fa%2520b.txt')).toEqual([
    {
      mime: 'text/plain',
      filename: 'a b.txt',
      url: 'mcp://My%20Files/file%3A%2F%2F%2Fa%2520b.txt',
      source: {
        type: 'resource',
        clientName: 'My Files',
        uri: 'mcp://My%20Files/file%3A%2F%2F%2Fa%2520b.txt',
        text: { value: 'the notes', start: 0, end: 9 },
      },
    },
  ]);
  await expect(servers.readMcpResource('mcp://Nobody/x')).rejects.toMatchObject({ code: 'not-found' });
});

test('a server is given the variables it is meant to have, and none of ours', async () => {
  const environment = JSON.parse((await servers.call('My_Files_environment')).output) as Record<string, string>;

  expect(environment).toMatchObject({ GIVEN: 'yes', EMPTY: '', PATH: process.env['PATH'] });
  expect(environment).not.toHaveProperty('DRAGOMAN_SECRET_OF_OURS');
});
