import type { FilePart, PermissionSubject } from '@dragoman/protocol';
import type { z } from 'zod';
import type { Question, QuestionAnswer } from '../question/question.ts';

/** A schema in JSON's own words, for tools that come from elsewhere. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Makes a tool of its four parts. What the model sends is checked against `parameters` before `execute` sees it. */
function define<Parameters extends z.ZodType>(tool: Tool.Definition<Parameters>): Tool.Info<z.infer<Parameters>>;
function define(tool: Tool.ForeignDefinition): Tool.Info<Readonly<Record<string, unknown>>>;
function define<Input>(tool: Tool.Info<Input>): Tool.Info<Input>;
function define(tool: unknown): Tool.Info {
  const info = tool as Tool.Info;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(info.id))
    throw new Error(`A tool is named with letters, digits, "-" and "_", 64 at most; "${info.id}" is not.`);
  return info;
}

/** How tools are made. */
export const Tool = { define };

/** What a tool is, is told when it runs, and gives back. */
export declare namespace Tool {
  /** A tool as everybody sees it, wherever it comes from. */
  // The input is what `parameters` says; whoever holds tools of all kinds does not know which.
  // oxlint-disable-next-line typescript/no-explicit-any
  interface Info<Input = any> {
    id: string;
    description: string;
    /** Of an object. */
    parameters: z.ZodType | JsonSchema;
    execute(input: Input, context: Context): Promise<Result>;
    /** What it is about to touch, told before it runs: each subject is decided by the permissions. None: the tool as such. */
    subjects?(input: Input, context: Context): PermissionSubject[] | Promise<PermissionSubject[]>;
    /**
     * What it would change; changes nothing. None: it cannot be told. Whoever has one keeps to `approved` when it runs.
     */
    preview?(input: Input, context: Context): Promise<Preview | undefined>;
    /** Under which name permissions know it, where several tools do the same: `write` is an `edit`. */
    permission?: string;
    /** It changes nothing: it may run beside others, and needs no snapshot of the files. */
    isReadOnly?: boolean;
    /** It may run beside others although it changes something, as a subagent does. */
    isConcurrent?: boolean;
    /** How long it may take, in milliseconds; else the setting for all tools. */
    timeoutMs?(input: Input): number | undefined;
    /** Which end of an output that is too long the model is shown; the head where nothing is said. */
    keeps?: 'head' | 'tail';
  }

  interface Definition<Parameters extends z.ZodType> extends Info<z.infer<Parameters>> {
    parameters: Parameters;
  }

  interface ForeignDefinition extends Info<Readonly<Record<string, unknown>>> {
    parameters: JsonSchema;
  }

  interface Preview {
    /** Unified; empty where the call would change nothing, or fail. */
    diff: string;
    /** Tells these changes, to files as they are, from all others. */
    digest: string;
  }

  /** What a person allowed. */
  interface Approved {
    /** Of the preview that was made when they were asked; absent where none was made. */
    digest: string | undefined;
    /** Whether they saw its diff, and not just the arguments of the call. */
    isShown: boolean;
  }

  /** What a call knows of its place. */
  interface Context {
    sessionID: string;
    messageID: string;
    callID: string;
    agent: string;
    /** The folder it works in; relative paths start here. */
    cwd: string;
    /** The project: what is below it is its own. */
    root: string;
    /** What of the call a default allows, and no person who looked at it. */
    byDefault?: readonly PermissionSubject[];
    /** What a person allowed when asked about the call; absent where nobody was asked. */
    approved?: Approved;
    /** Fires when the turn is called off or the call's time is up. */
    abort: AbortSignal;
    /** Shows how the running call is getting on, at once. */
    metadata(update: { title?: string; metadata?: Readonly<Record<string, unknown>> }): void;
    /** Whether all of this was permitted for this call, before it ran or when it asked. */
    isPermitted(subjects: readonly PermissionSubject[]): boolean;
    /** Asks for more than was told before it ran. Throws `ToolError` when it may not. */
    ask(subjects: PermissionSubject[], reason?: string): Promise<void>;
    /** Asks the person something that the call needs to know; absent where nobody can be asked. Throws when the signal fires. */
    askPerson?(question: Question, signal: AbortSignal): Promise<QuestionAnswer>;
  }

  interface Result {
    /** What was done, in a line for people. */
    title: string;
    /** What the model reads. */
    output: string;
    /** For screens: a diff, an exit code, counts. */
    metadata?: Readonly<Record<string, unknown>>;
    attachments?: Attachment[];
    /** The output is as short as it should be, and already says what was left out. */
    isBounded?: boolean;
  }

  /** A file that belongs to a result; it becomes a `FilePart`. */
  type Attachment = Pick<FilePart, 'mime' | 'filename' | 'url' | 'source'>;
}

/** What a tool could not do. It becomes the result of the call, so that the model can try again. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly metadata: Readonly<Record<string, unknown>> | undefined;

  constructor(message: string, options: { cause?: unknown; metadata?: Readonly<Record<string, unknown>> } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.metadata = options.metadata;
  }
}
