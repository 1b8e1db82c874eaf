import { Tool, ToolError } from '../tools/tool.ts';
import { convertMcpContent } from './convert-mcp-content.ts';
import { mcpToolName } from './mcp-tool-name.ts';
import type { CallingPerson } from './elicitation/elicitations.ts';
import type { McpProgress, McpToolDefinition, McpToolResult } from './mcp-wire.ts';

/** A call that goes on reporting progress is ended after this many times its limit. */
const CEILING_FACTOR = 10;

/** For the runtime's own limit, so that ours is the one that speaks. */
const GRACE_MS = 5000;

/** Carries a call to the server. It stops when the signal fires. */
export type McpCall = (
  input: Readonly<Record<string, unknown>>,
  options: {
    signal: AbortSignal;
    onProgress(progress: McpProgress): void;
    /** Whom the server may ask something; absent where nobody can be. */
    person?: Pick<CallingPerson, 'sessionID' | 'ask'> | undefined;
  },
) => Promise<McpToolResult>;

/** A tool of a server, and the way to it. */
export interface ForeignTool {
  clientName: string;
  tool: McpToolDefinition;
  call: McpCall;
  /** How long a call may be silent. */
  timeoutMs: number;
  /** Its name among all tools, where the plain one is not to be had. */
  id?: string;
}

/**
 * Makes a tool of ours from one of an MCP server; nothing else does.
 *
 * The server's schema and descriptions stay as they are. That a tool says it only reads is believed as far as running
 * it beside others goes; permissions do not look at it, because the server may say what it likes.
 */
export function convertMcpTool({ clientName, tool, call, timeoutMs, id }: ForeignTool): Tool.Info {
  const title = tool.title ?? tool.annotations?.title ?? `${clientName}: ${tool.name}`;
  return Tool.define({
    id: id ?? mcpToolName(clientName, tool.name),
    description: tool.description ?? '',
    parameters: tool.inputSchema ?? { type: 'object', properties: {} },
    isReadOnly: tool.annotations?.readOnlyHint === true,
    timeoutMs: () => timeoutMs * CEILING_FACTOR + GRACE_MS,
    async execute(input, context) {
      const limit = callLimit(timeoutMs);
      const onProgress = (progress: McpProgress): void => {
        limit.extend();
        context.metadata({
          ...(progress.message === undefined ? {} : { title: progress.message }),
          metadata: { server: clientName, tool: tool.name, ...progress },
        });
      };
      try {
        const signal = AbortSignal.any([context.abort, limit.signal]);
        const person = personOf(context, limit);
        const result = await Promise.race([call(input, { signal, onProgress, person }), aborted(signal)]);
        const { output, attachments } = convertMcpContent({
          clientName,
          content: result.content ?? [],
          structuredContent: result.structuredContent,
        });
        if (result.isError === true)
          throw new ToolError(output === '' ? `${title} failed and did not say why.` : output);
        return { title, output, attachments, metadata: { server: clientName, tool: tool.name } };
      } catch (error) {
        if (error instanceof ToolError) throw error;
        throw toToolError(error, { clientName, toolName: tool.name, context, exceededMs: limit.exceededMs() });
      } finally {
        limit.clear();
      }
    },
  });
}

/** Whom the server may ask. Time that the person takes is not the server's. */
function personOf({ sessionID, askPerson }: Tool.Context, limit: ReturnType<typeof callLimit>) {
  if (askPerson === undefined) return undefined;
  return {
    sessionID,
    ask: (...asked: Parameters<CallingPerson['ask']>) => limit.without(askPerson(...asked)),
  };
}

interface FailedCall {
  clientName: string;
  toolName: string;
  context: Tool.Context;
  exceededMs: number | undefined;
}

function toToolError(error: unknown, { clientName, toolName, context, exceededMs }: FailedCall): ToolError {
  const tool = `The tool "${toolName}" of the MCP server "${clientName}"`;
  if (context.abort.aborted) return new ToolError(`${tool} was cancelled.`, { cause: error });
  if (exceededMs !== undefined)
    return new ToolError(
      `${tool} did not finish within ${exceededMs} ms. Ask it for less, or go on without it; ` +
        'a person can raise "timeout" of the server or "mcp_timeout".',
      { cause: error, metadata: { server: clientName, tool: toolName, timeoutMs: exceededMs } },
    );
  return new ToolError(`${tool} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}

/** Fires when the call was silent for too long, or went on for too long altogether. */
function callLimit(timeoutMs: number) {
  const controller = new AbortController();
  let isOver = false;
  let exceeded: number | undefined;
  const fire = (ms: number): void => {
    exceeded ??= ms;
    controller.abort(new Error(`no answer within ${ms} ms`));
  };
  const longest = timeoutMs * CEILING_FACTOR;
  let leftMs = longest;
  let since = performance.now();
  let asked = 0;
  let silence: NodeJS.Timeout | undefined;
  let ceiling: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearTimeout(silence);
    clearTimeout(ceiling);
  };
  const go = (): void => {
    stop();
    if (isOver || exceeded !== undefined || asked > 0) return;
    silence = setTimeout(fire, timeoutMs, timeoutMs);
    ceiling = setTimeout(fire, Math.max(0, leftMs - (performance.now() - since)), longest);
  };
  go();
  return {
    signal: controller.signal,
    extend: go,
    /** Waits for something that does not count. */
    async without<Result>(work: Promise<Result>): Promise<Result> {
      if (asked++ === 0) leftMs -= performance.now() - since;
      stop();
      try {
        return await work;
      } finally {
        if (--asked === 0) since = performance.now();
        go();
      }
    },
    exceededMs: () => exceeded,
    clear(): void {
      isOver = true;
      stop();
    },
  };
}

/** A call is over when its signal fires, whether or not the other end has noticed. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
