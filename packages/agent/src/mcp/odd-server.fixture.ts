import { existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

// A server written by hand, for answers that the library would not give. Its argument says which.
const kind = process.argv[2];

// It starts one time only; the file remembers.
if (kind === 'once') {
  const file = process.argv[3]!;
  if (existsSync(file)) {
    console.error('not again');
    process.exit(1);
  }
  writeFileSync(file, String(process.pid));
}

type Message = { id?: number; method: string; params?: { cursor?: string } };

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as Message;
  if (message.id === undefined || (kind === 'silent' && message.method === 'initialize')) continue;
  if (kind === 'unread' && message.method === 'resources/read') continue;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer(message) })}\n`);
}

function answer({ method, params }: Message): object {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {}, prompts: {} },
          serverInfo: { name: 'odd', version: '1' },
        },
      };
    case 'tools/list':
      return { result: page(Number(params?.cursor ?? 0)) };
    case 'tools/call':
      return { result: { content: [{ type: 'hologram', shape: 'cube' }], extra: true } };
    default:
      return { error: { code: -32601, message: 'not known' } };
  }
}

function page(index: number): object {
  const tools = [{ name: `tool-${index}`, inputSchema: { type: 'object' } }];
  if (kind === 'circle') return { tools, nextCursor: '1' };
  if (kind === 'endless') return { tools, nextCursor: String(index + 1) };
  if (kind === 'faulty') return { tools: [{ name: 7 }, ...tools, ...tools, { name: 'bare', description: null }] };
  return index < 2 ? { tools, nextCursor: String(index + 1) } : { tools, nextCursor: null };
}
