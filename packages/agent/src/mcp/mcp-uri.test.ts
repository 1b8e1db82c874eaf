import { DragomanError } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMcpUri, type McpUri, parseMcpUri } from './mcp-uri.ts';

test('an address has the server and, as one segment, the address of the resource, and is written back the same [FR-44]', () => {
  const uri = 'mcp://My%20Files/file%3A%2F%2F%2Fa%2520b.txt';

  expect(parseMcpUri(uri)).toEqual({ clientName: 'My Files', resource: 'file:///a%20b.txt' });
  expect(formatMcpUri(parseMcpUri(uri))).toBe(uri);
});

test('whatever a server and a resource are called, reading gives back what was written [FR-44]', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1 });
  fc.assert(
    fc.property(name, name, (clientName, resource) => {
      const uri = formatMcpUri({ clientName, resource });
      expect(parseMcpUri(uri)).toEqual({ clientName, resource });
      expect(formatMcpUri(parseMcpUri(uri))).toBe(uri);
    }),
  );
});

test.each([
  '',
  'mcp://',
  'mcp://server',
  'mcp://server/',
  'mcp:///resource',
  'mcp://server/a/b',
  'mcp://server/a?b',
  'mcp://server/a#b',
  'mcp://server/%',
  'mcp://server/%ff',
  'MCP://server/a',
  'http://server/a',
])('any other text is refused with the form that was expected: %j [FR-44]', (uri) => {
  expect(() => parseMcpUri(uri)).toThrow('is not an address like mcp://server/resource');
});

test('whatever text is read as an address is one that can be written again [FR-44]', () => {
  const piece = fc.constantFrom('mcp://', '/', '%', '%20', '%2F', 'a', 'ü', '?', '#', ' ');
  fc.assert(
    fc.property(fc.string({ unit: piece }), (uri) => {
      const read = parsedOrNothing(uri);
      if (read === undefined) return;
      expect(parseMcpUri(formatMcpUri(read))).toEqual(read);
    }),
  );
});

function parsedOrNothing(uri: string): McpUri | undefined {
  try {
    return parseMcpUri(uri);
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}

test('a name that is no text cannot be written [FR-44]', () => {
  for (const [clientName, resource] of [
    ['', 'a'],
    ['a', ''],
    ['a', '\ud800'],
  ] as const)
    expect(() => formatMcpUri({ clientName, resource })).toThrow('well-formed text');
});
