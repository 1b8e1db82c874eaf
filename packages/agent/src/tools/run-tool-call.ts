import { realpathSync } from 'node:fs';
import { type FilePart, newId, type PermissionSubject, type ToolPart, type ToolState } from '@dragoman/protocol';
import { inSpan } from '@dragoman/server/base';
import type { AskPerson } from '../question/ask-person.ts';
import type { Session } from '../session/session.ts';
import { withTimeLimit } from '../turn/time-limit.ts';
import { boundOutput } from './bound-output.ts';
import { checkInput } from './check-input.ts';
import { type Tool, ToolError } from './tool.ts';

/** Why a call may run: the subjects that only a default allows, and what a person allowed when asked. */
type Permission = Pick<Tool.Context, 'byDefault' | 'approved'>;

/** Decides whether a call may run. Throws `ToolError` when it may not. */
export type Permit = (request: {
  tool: Tool.Info;
  subjects: readonly PermissionSubject[];
  part: ToolPart;
  reason?: string;
  /** What was permitted for this call before, and is not asked about twice. */
  isPermitted?: Tool.Context['isPermitted'];
  abort: AbortSignal;
}) => Promise<Permission | void>;

/** What every call of a turn shares. */
export interface ToolCallSurroundings {
  session: Session;
  agent: string;
  permit: Permit;
  /** Absent where nobody can be asked. */
  askPerson?: AskPerson | undefined;
  /** Where outputs go that are too long to be shown. */
  outputFolder: string;
  /** For tools that name no limit of their own. */
  timeoutMs: number;
  /** How long a tool that is called off may take to end. */
  graceMs?: number | undefined;
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
    const result = await traceTool(tool, part, () => attempt(tool, part, surroundings, started));
    const { output, outputFile } = result.isBounded
      ? { output: result.output, outputFile: undefined }
      : boundOutput(result.output, {
          folder: surroundings.outputFolder,
          name: part.id, // Calls may have ids that are no names.
          ...(tool.keeps === undefined ? {} : { keeps: tool.keeps }),
        });
    const note = annotate({ result: result.output, isError: false });
    const metadata = { ...asJson(result.metadata), ...(outputFile === undefined ? {} : { outputFile }) };
    const attachments = await toFileParts(result.attachments ?? [], part);
    settle({
      status: 'completed',
      input: asked,
      output: note === undefined ? output : `${output}\n\n[${note}]`,
      title: String(result.title),
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
      time: { start: startedAt, end: now() },
      ...(attachments.length === 0 ? {} : { attachments }),
    });
  } catch (error) {
    const message = cut(describe(error, tool.id));
    const note = annotate({ result: message, isError: true });
    const { metadata } = error instanceof ToolError ? error : {};
    settle({
      status: 'error',
      input: asked,
      error: note === undefined ? message : `${message}\n\n[${note}]`,
      ...(metadata === undefined ? {} : { metadata: asJson(metadata) }),
      time: { start: startedAt, end: now() },
    });
  }
}

/** Makes a call of a tool a span, the question whether it may run included. What went in and came out is not in it. */
function traceTool(tool: Tool.Info, part: ToolPart, run: () => Promise<Tool.Result>): Promise<Tool.Result> {
  const attributes = () => ({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool.id,
    'gen_ai.tool.call.id': part.callID,
  });
  return inSpan(`execute_tool ${tool.id}`, 'internal', attributes, run);
}

async function attempt(
  tool: Tool.Info,
  part: ToolPart,
  surroundings: ToolCallSurroundings,
  started: () => void,
): Promise<Tool.Result> {
  const { session, agent, permit, askPerson, abort, graceMs } = surroundings;
  const checked = checkInput(tool, part.state.input);
  if (!checked.isValid) throw new ToolError(checked.problem);
  const limitMs = tool.timeoutMs?.(checked.input) ?? surroundings.timeoutMs;
  const place = session.state.info;
  const of = { messageID: part.messageID, partID: part.id };
  const person = new Stopwatch(); // Time that a person takes is not the tool's.
  const permitted = new Set<string>();
  const isPermitted = (subjects: readonly PermissionSubject[]) =>
    subjects.every((subject) => permitted.has(keyOf(subject)));
  const allow = (subjects: readonly PermissionSubject[]) => {
    for (const subject of subjects) permitted.add(keyOf(subject));
  };
  let running = abort;
  let hasEnded = false;
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
    metadata({ title, metadata }) {
      if (hasEnded) return;
      session.append({
        type: 'tool-metadata',
        ...of,
        ...(title === undefined ? {} : { title }),
        ...(metadata === undefined ? {} : { metadata: asJson(metadata) }),
      });
    },
    isPermitted,
    async ask(subjects, reason) {
      if (hasEnded) throw new ToolError('This call has ended.');
      const why = reason === undefined ? {} : { reason };
      const { approved } = (await person.measure(permit({ tool, subjects, part, isPermitted, abort, ...why }))) ?? {};
      if (approved !== undefined) context.approved = approved;
      allow(subjects);
    },
    ...(askPerson !== undefined && {
      async askPerson(question, signal) {
        if (hasEnded) throw new ToolError('This call has ended.');
        return person.measure(askPerson(question, part, AbortSignal.any([abort, signal])));
      },
    }),
  };
  const inTime = <Result>(work: () => Promise<Result>) =>
    withTimeLimit(
      (signal) => {
        running = signal;
        return work();
      },
      {
        limitMs,
        signal: abort,
        graceMs,
        notCountedMs: () => person.elapsedMs,
        expired: () => new ToolError(`The tool "${tool.id}" took longer than ${seconds(limitMs)} and was stopped.`),
      },
    );
  const folder = realFolder(place.root);
  try {
    const subjects =
      tool.subjects === undefined ? [] : await inTime(async () => tool.subjects!(checked.input, context));
    const { byDefault = [], approved } = (await permit({ tool, subjects, part, abort })) ?? {};
    Object.assign(context, { byDefault, approved });
    allow(subjects);
    if (tool.isReadOnly !== true) await withTimeLimit(surroundings.beforeChange, { signal: abort, graceMs });
    abort.throwIfAborted();
    // Paths are told from the project; what was permitted says nothing about another folder in its place.
    if (realFolder(place.root) !== folder)
      throw new ToolError('The folder of the project was replaced while this call waited, so it was not run.');
    started();
    return await inTime(() => tool.execute(checked.input, context));
  } finally {
    hasEnded = true; // One that was left alone may still be at it.
  }
}

function keyOf({ kind, value, deniedAs, beyondDefaults }: PermissionSubject): string {
  return JSON.stringify([kind, deniedAs, beyondDefaults, value]);
}

function realFolder(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** How long something went on, in all; also while it does. */
class Stopwatch {
  #pastMs = 0;
  #running = 0;
  #since = 0;

  get elapsedMs(): number {
    return this.#pastMs + (this.#running > 0 ? performance.now() - this.#since : 0);
  }

  async measure<Result>(work: Promise<Result>): Promise<Result> {
    if (this.#running++ === 0) this.#since = performance.now();
    try {
      return await work;
    } finally {
      if (--this.#running === 0) this.#pastMs += performance.now() - this.#since;
    }
  }
}

/** What is told beside a result, as it can be stored; what JSON has no words for is left out. */
function asJson(metadata: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(metadata)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function describe(error: unknown, tool: string): string {
  if (error instanceof ToolError) return error.message;
  if (error instanceof Error && error.name === 'AbortError') return 'Interrupted: the turn was cancelled.';
  return `The tool "${tool}" failed: ${error instanceof Error ? error.message : String(error)}`;
}

/** An error says what went wrong in a few words, or tries to. */
const MAX_ERROR_CHARS = 20_000;

function cut(message: string): string {
  const more = message.length - MAX_ERROR_CHARS;
  return more <= 0 ? message : `${message.slice(0, MAX_ERROR_CHARS)}… [${more} more characters]`;
}

async function toFileParts(
  files: readonly Tool.Attachment[],
  { sessionID, messageID, tool }: ToolPart,
): Promise<FilePart[]> {
  if (files.length === 0) return [];
  const { filePartSchema } = await import('@dragoman/protocol/schemas');
  return files.map((file) => {
    const part = filePartSchema.safeParse({ ...file, id: newId('prt'), sessionID, messageID, type: 'file' });
    if (part.success) return part.data;
    const [issue] = part.error.issues;
    throw new ToolError(`The tool "${tool}" returned a file that is none: ${issue!.path.join('.')}: ${issue!.message}`);
  });
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}
