import { createInterface } from 'node:readline';

// Run as a program: an MCP server that has a tool and never answers its calls.
const ANSWERS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'mute', version: '1' },
  },
  'tools/list': { tools: [{ name: 'wait', description: 'Waits.', inputSchema: { type: 'object' } }] },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line) as { id?: number; method: string };
  const result = ANSWERS[method];
  if (id !== undefined && result !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}
