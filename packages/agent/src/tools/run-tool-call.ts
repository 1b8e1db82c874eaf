import { type FilePart, newId, type PermissionSubject, type ToolPart, type ToolState } from '@dragoman/protocol';
import type { Session } from '../session/session.ts';
import { withTimeLimit } from '../turn/time-limit.ts';
import { boundOutput } from './bound-output.ts';
import { checkInput } from './check-input.ts';
import { type Tool, ToolError } from './tool.ts';

/** Decides whether a call may run. Throws `ToolError` when it may not; resolves when it may. */
export type Permit = (request: {
  tool: Tool.Info;
  subjects: readonly PermissionSubject[];
  part: ToolPart;
  reason?: string;
  abort: AbortSignal;
}) => Promise<void>;

/** What every call of a turn shares. */
export interface ToolCallSurroundings {
  session: Session;
  agent: string;
  permit: Permit;
  /** Where outputs go that are too long to be shown. */
  outputFolder: string;
  /** For tools that name no limit of their own. */
  timeoutMs: number;
  abort: AbortSignal;
  now: () => number;
  /** Called before a tool that may change files. */
  beforeChange: () => Promise<void>;
}

/** How a call ended, for whoever watches over the turn. */
export interface ToolOutcome {
  /** What the model is told, before any note is added. */
  result: string;
  isError: boolean;
}

/**
 * One tool call from its arguments to its recorded end: checks the input, asks for permission, runs within a time limit,
 * bounds the output. The one way tools are run, wherever they come from. It never throws: what went wrong is the result.
 *
 * `annotate` may add a note to what the model reads.
 */
export async function runToolCall(
  tool: Tool.Info,
  part: ToolPart,
  surroundings: ToolCallSurroundings,
  annotate: (outcome: ToolOutcome) => string | undefined,
): Promise<void> {
  const { session, now } = surroundings;
  const asked = part.state.input;
  const settle = (state: ToolState) =>
    session.append({ type: 'tool-result', messageID: part.messageID, partID: part.id, state });
  let startedAt = now();
  const started = () => {
    startedAt = now();
    session.append({
      type: 'tool-state',
      messageID: part.messageID,
      partID: part.id,
      state: { status: 'running', input: asked, time: { start: startedAt } },
    });
  };
  try {
    const result = await attempt(tool, part, surroundings, started);
    const { output, outputFile } = result.isBounded
      ? { output: result.output, outputFile: undefined }
      : boundOutput(result.output, {
          folder: surroundings.outputFolder,
          name: part.callID,
          ...(tool.keeps === undefined ? {} : { keeps: tool.keeps }),
        });
    const note = annotate({ result: result.output, isError: false });
    const metadata = { ...result.metadata, ...(outputFile === undefined ? {} : { outputFile }) };
    settle({
      status: 'completed',
      input: asked,
      output: note === undefined ? output : `${output}\n\n[${note}]`,
      title: result.title,
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
      time: { start: startedAt, end: now() },
      ...(result.attachments === undefined || result.attachments.length === 0
        ? {}
        : { attachments: result.attachments.map((file) => toFilePart(file, part)) }),
    });
  } catch (error) {
    const message = describe(error, tool.id);
    const note = annotate({ result: message, isError: true });
    const { metadata } = error instanceof ToolError ? error : {};
    settle({
      status: 'error',
      input: asked,
      error: note === undefined ? message : `${message}\n\n[${note}]`,
      ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
      time: { start: startedAt, end: now() },
    });
  }
}

async function attempt(
  tool: Tool.Info,
  part: ToolPart,
  surroundings: ToolCallSurroundings,
  started: () => void,
): Promise<Tool.Result> {
  const { session, agent, permit, abort } = surroundings;
  const checked = checkInput(tool, part.state.input);
  if (!checked.isValid) throw new ToolError(checked.problem);
  const limit = tool.timeoutMs?.(checked.input) ?? surroundings.timeoutMs;
  const place = session.state.info;
  let running = abort;
  let waitedMs = 0; // For a person; that is not the tool's time.
  const context: Tool.Context = {
    sessionID: session.id,
    messageID: part.messageID,
    callID: part.callID,
    agent,
    cwd: place.cwd,
    root: place.root,
    get abort() {
      return running;
    },
    metadata: (update) =>
      session.append({
        type: 'tool-metadata',
        messageID: part.messageID,
        partID: part.id,
        ...(update.title === undefined ? {} : { title: update.title }),
        ...(update.metadata === undefined ? {} : { metadata: { ...update.metadata } }),
      }),
    async ask(subjects, reason) {
      const askedAt = performance.now();
      try {
        await permit({ tool, subjects, part, abort, ...(reason === undefined ? {} : { reason }) });
      } finally {
        waitedMs += performance.now() - askedAt;
      }
    },
  };
  const subjects = (await tool.subjects?.(checked.input, context)) ?? [];
  await permit({ tool, subjects, part, abort });
  if (tool.isReadOnly !== true) await surroundings.beforeChange();
  abort.throwIfAborted();
  started();
  return withTimeLimit(
    (signal) => {
      running = signal;
      return tool.execute(checked.input, context);
    },
    {
      limitMs: limit,
      signal: abort,
      notCountedMs: () => waitedMs,
      expired: () => new ToolError(`The tool "${tool.id}" took longer than ${seconds(limit)} and was stopped.`),
    },
  );
}

function describe(error: unknown, tool: string): string {
  if (error instanceof ToolError) return error.message;
  if (error instanceof Error && error.name === 'AbortError') return 'Interrupted: the turn was called off.';
  return `The tool "${tool}" failed: ${error instanceof Error ? error.message : String(error)}`;
}

function toFilePart(file: Tool.Attachment, part: ToolPart): FilePart {
  return { id: newId('prt'), sessionID: part.sessionID, messageID: part.messageID, type: 'file', ...file };
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}
