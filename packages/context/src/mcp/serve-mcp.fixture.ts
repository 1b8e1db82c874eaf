import type { McpEngine } from './mcp-engine.ts';
import { serveMcp } from './serve-mcp.ts';

/** A small engine over two workspaces that says what it was asked. */
export const engine: McpEngine = {
  async retrieve(query, workspaceFolder) {
    if (query === 'break') throw new Error('the index is closed');
    return `asked ${query} in ${workspaceFolder ?? 'any'}`;
  },
  async findSymbol(name, limit, workspaceFolder) {
    if (name === 'break') throw new Error(`no workspace at ${workspaceFolder}`);
    if (name === 'nothing') return [];
    return Array.from({ length: 3 }, (_, index) => ({
      path: `src/${workspaceFolder ?? 'any'}-${limit}.ts`,
      start: 10 * index + 1,
      end: 10 * index + 2,
      symbol: name,
      score: 3 - index,
      text: `function ${name}() {\n}`,
    }));
  },
  async listWorkspaces() {
    return [
      { name: 'shop', root: '/work/shop', files: 120, pending: 3 },
      { name: 'notes', root: '/work/notes', files: 1 },
    ];
  },
};

if (process.argv[1] === import.meta.filename) {
  await serveMcp({ engine, version: '1.2.3', input: process.stdin, output: process.stdout });
  process.stderr.write('ended\n');
}
