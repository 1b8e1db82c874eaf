import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from './create-mcp-server.ts';
import type { McpEngine } from './mcp-engine.ts';

export interface McpService {
  engine: McpEngine;
  /** What the server says about itself. */
  version: string;
  input: Readable;
  /** Carries messages of the protocol and nothing else. */
  output: Writable;
  /** Stops it before the input ends. */
  signal?: AbortSignal;
  /** What went wrong beside any call, such as a line that is no message. */
  onError?: (error: Error) => void;
}

/**
 * Speaks MCP over two streams, in the protocol's versions of 2025 and 2026 alike.
 *
 * Resolves when the input has ended, the output is gone or the signal stopped it. Calls that still run then are
 * called off.
 */
export function serveMcp({ engine, version, input, output, signal, onError }: McpService): Promise<void> {
  return new Promise((resolve) => {
    const transport = new StdioServerTransport(input, output);
    const service = serveStdio(() => createMcpServer(engine, version), {
      transport,
      ...(onError === undefined ? {} : { onerror: onError }),
    });
    const stop = () => void service.close();
    const { onclose } = transport;
    transport.onclose = () => {
      signal?.removeEventListener('abort', stop);
      onclose?.();
      resolve();
    };
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
