import { spawn } from 'node:child_process';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const PIXEL = 'iVBORw0KGgo=';

/** A server with one tool for every case that the tests look at. */
export function demoServer(): McpServer {
  const server = new McpServer({ name: 'demo', version: '1.0.0' }, { instructions: 'Ask for an echo.' });

  server.registerTool(
    'echo',
    {
      title: 'Echo',
      description: 'Says it again.\n\nExactly.',
      inputSchema: z.object({ text: z.string().describe('What to say.') }),
      annotations: { readOnlyHint: true },
    },
    ({ text }) => ({ content: [{ type: 'text', text }] }),
  );
  server.registerTool('fail', {}, () => ({ isError: true, content: [{ type: 'text', text: 'The disk is full.' }] }));
  server.registerTool('mixed', {}, () => ({
    content: [
      { type: 'text', text: 'before' },
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
      { type: 'text', text: 'between' },
      { type: 'resource', resource: { uri: 'file:///a b.txt', mimeType: 'text/plain', text: 'the notes' } },
      { type: 'resource', resource: { uri: 'file:///logo.png', mimeType: 'image/png', blob: PIXEL } },
      { type: 'resource_link', uri: 'file:///more.md', name: 'more', mimeType: 'text/markdown' },
      { type: 'text', text: 'after' },
    ],
  }));
  server.registerTool('environment', {}, () => ({ content: [{ type: 'text', text: JSON.stringify(process.env) }] }));
  server.registerTool('pid', {}, () => ({ content: [{ type: 'text', text: String(process.pid) }] }));
  server.registerTool('helper', {}, () => {
    const helper = spawn('sleep', ['1000'], { stdio: 'ignore' });
    return { content: [{ type: 'text', text: String(helper.pid) }] };
  });
  server.registerTool('hang', {}, async (context) => {
    await new Promise((resolve) => context.mcpReq.signal.addEventListener('abort', resolve));
    process.stderr.write('the call was cancelled\n');
    return { content: [] };
  });
  server.registerTool('work', {}, async (context) => {
    const progressToken = context.mcpReq._meta?.progressToken ?? 0;
    for (const progress of [1, 2])
      await context.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 2, message: `step ${progress}` },
      });
    // With an answer to this, what was reported has been read.
    await context.mcpReq.send({ method: 'ping' });
    return { content: [{ type: 'text', text: 'worked' }] };
  });
  server.registerTool('grow', {}, () => {
    server.registerTool('late', { description: 'Came later.' }, () => ({ content: [{ type: 'text', text: 'here' }] }));
    server.registerPrompt('late', { description: 'Came later.' }, () => ({ messages: [] }));
    server.registerResource('late', 'file:///late.txt', {}, () => ({ contents: [] }));
    return { content: [{ type: 'text', text: 'grown' }] };
  });

  server.registerPrompt(
    'review',
    {
      description: 'Reviews a file.',
      argsSchema: z.object({ path: z.string().describe('Which file.'), focus: z.string().optional() }),
    },
    ({ path, focus }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Review ${path} for ${focus ?? 'everything'}.` } }],
    }),
  );
  server.registerResource('notes', 'file:///a%20b.txt', { description: 'Notes.', mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'the notes' }],
  }));
  server.registerResource('logo', 'file:///logo.png', { mimeType: 'image/png' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'image/png', blob: PIXEL }],
  }));
  return server;
}
