import type { z } from 'zod';
import { ToolError } from '../tools/tool.ts';
import { LoginNeededError } from './login-needed-error.ts';
import type { McpConnection } from './mcp-connection.ts';
import type { McpProgress } from './mcp-wire.ts';

/** One question to a server. */
export interface McpQuestion<Answer> {
  method: string;
  params: Record<string, unknown>;
  schema: z.ZodType<Answer>;
  signal: AbortSignal;
  timeoutMs: number;
  onProgress?(progress: McpProgress): void;
}

/**
 * Asks a server, when it is there.
 *
 * A server that has forgotten our session did nothing with the question, so it is asked once more in a new one. After
 * any other loss nobody knows how far it came, and it is not.
 */
export async function askMcpServer<Answer>(connection: McpConnection, question: McpQuestion<Answer>): Promise<Answer> {
  const { method, params, schema, signal, timeoutMs, onProgress } = question;
  for (let isFirst = true; ; isFirst = false) {
    const client = await connection.ready(signal);
    try {
      return await client.request({ method, params }, schema, {
        signal,
        timeout: timeoutMs,
        ...(onProgress === undefined ? {} : { onprogress: onProgress }),
      });
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof LoginNeededError) connection.needLogin(client, error.url);
      else if (isForgotten(error)) connection.lose(client, 'it has forgotten the session');
      else throw explained(connection, error);
      if (!isFirst) throw error;
    }
  }
}

function isForgotten(error: unknown): boolean {
  return (error as { status?: unknown }).status === 404;
}

function explained(connection: McpConnection, error: unknown): Error {
  const failure = error instanceof Error ? error : new Error(String(error));
  const { code } = failure as { code?: unknown };
  if (typeof code === 'number') return failure; // The server answered, with an error.
  if (code !== 'CONNECTION_CLOSED') {
    void connection.doubt();
    return failure;
  }
  const { status } = connection;
  const why = status.state === 'failed' ? ` (${status.reason})` : '';
  return new ToolError(
    `The MCP server "${connection.name}" went away before it answered${why}. What was asked may or may not have been ` +
      'done: look before you ask again.',
    { cause: error },
  );
}
