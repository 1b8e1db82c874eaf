import { DragomanError } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { toolContext } from './mcp.fixture.ts';
import { resourceToAttachment } from './mcp-resource.ts';
import { mcpResourceTool } from './mcp-resource-tool.ts';

const uri = 'mcp://docs/note%3A1';
const resource = { clientName: 'docs', uri, name: 'one', description: 'The\nfirst.', mime: undefined };

const tool = mcpResourceTool({
  listResources: () => Promise.resolve(Array.from({ length: 201 }, () => resource)),
  readMcpResource: (address) =>
    address === uri
      ? Promise.resolve([
          resourceToAttachment({ clientName: 'docs', uri: 'note:1', content: { text: 'dear diary' } }),
          resourceToAttachment({ clientName: 'docs', uri: 'pic:1', content: { mimeType: 'image/png', blob: 'AA' } }),
        ])
      : Promise.reject(new DragomanError('not-found', 'there is no MCP server "x"')),
});

test('a resource is read by its address: text in the output, bytes attached [FR-45]', async () => {
  expect(await tool.execute({ uri }, toolContext())).toEqual({
    title: uri,
    output: 'dear diary\n[attached: image/png]',
    attachments: [
      { mime: 'text/plain', filename: '1', url: uri, source: { type: 'resource', clientName: 'docs', uri } },
      {
        mime: 'image/png',
        filename: '1',
        url: 'data:image/png;base64,AA',
        source: { type: 'resource', clientName: 'docs', uri: 'mcp://docs/pic%3A1' },
      },
    ],
  });
  await expect(tool.execute({ uri: 'mcp://x/y' }, toolContext())).rejects.toMatchObject({
    name: 'ToolError',
    message: 'there is no MCP server "x"',
  });
});

test('permission is asked by the name of the server, and what is no address is told to the model', () => {
  expect(tool.subjects?.({ uri }, toolContext())).toEqual([{ kind: 'name', value: 'docs' }]);
  expect(tool.subjects?.({}, toolContext())).toEqual([]);
  expect(() => tool.subjects?.({ uri: 'readme.md' }, toolContext())).toThrow('"readme.md" is not an address like');
});

test('without an address the addresses there are, are listed, up to a point', async () => {
  const { output } = await tool.execute({}, toolContext());

  expect(output.split('\n')).toHaveLength(201);
  expect(output.split('\n')[0]).toBe(`${uri}  one  The first.`);
  expect(output.split('\n').at(-1)).toBe('(1 more are not listed)');
});
