import { z } from 'zod';
import type { BackendPrompt } from '../uap/agent-backend.ts';
import { approvalAnswerSchema } from '../uap/approval.ts';
import { promptBlockSchema } from '../uap/content-block.ts';
import { runnerEventSchema } from './hub-event.ts';
import { agentOfferSchema } from './hub-session.ts';

/** Stands on the screens of others: signs that turn the direction of writing would rearrange what is around it. */
const shownText = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u, 'expected one line without control characters');

/** How a runner introduces itself, each time it connects. */
export const runnerHelloSchema = z.object({
  id: z
    .string()
    .regex(/^run_[\w-]{1,60}$/, 'expected "run_" and up to 60 letters and digits')
    .describe('Its own, kept beside its outbox.'),
  name: shownText
    .trim()
    .min(1)
    .max(255)
    .regex(/[\p{L}\p{N}\p{P}\p{S}]/u, 'expected something to see'),
  host: shownText.max(255),
  version: shownText.max(100),
  isShared: z.boolean(),
  folders: z.array(shownText.min(1).max(4096)).max(1000),
  agents: z
    .array(agentOfferSchema.extend({ name: shownText.min(1).max(100), title: shownText.max(200).optional() }))
    .max(1000),
  outboxId: z.string().min(1).max(100).describe('Names one outbox; numbers count within it.'),
});
export type RunnerHello = z.infer<typeof runnerHelloSchema>;

/** What the hub has of that outbox already: the highest number without a gap below it. */
export const runnerWelcomeSchema = z.object({ acked: z.number() });
export type RunnerWelcome = z.infer<typeof runnerWelcomeSchema>;

/** One line of an outbox: something that happened in a session, or that commands up to a number were carried out. */
export const outboxRecordSchema = z.union([
  z.object({ sessionId: z.string(), at: z.number(), event: runnerEventSchema }),
  z.object({ handled: z.number() }),
]);
export type OutboxRecord = z.infer<typeof outboxRecordSchema>;

/** Runners send a thousand, and more only where they all happened at once. */
const MOST_RECORDS = 10_000;

/** Records of an outbox without a gap: the first has the number `first`. What the hub has already is ignored. */
export const outboxBatchSchema = z.object({
  outboxId: z.string(),
  first: z.number(),
  records: z
    .array(z.unknown())
    .max(MOST_RECORDS)
    .describe('Each an OutboxRecord; one that cannot be read is passed over, and told.'),
});
/** The same as a runner writes it. */
export interface OutboxBatch {
  outboxId: string;
  first: number;
  records: readonly OutboxRecord[];
}

/** Up to which number the hub has the records of an outbox. */
export const outboxAckSchema = z.object({ acked: z.number() });
export type OutboxAck = z.infer<typeof outboxAckSchema>;

/** Enough of a session to open it on a runner, also on one that was started anew. */
export const sessionSpecSchema = z.object({
  sessionId: z.string(),
  agent: z.string(),
  folder: z.string(),
  title: z.string().optional().describe('Where a person chose it; else the agent may.'),
  worktree: z.boolean().optional(),
  cwd: z.string().optional().describe('Where it worked before, such as its worktree.'),
  model: z.string().optional(),
  mode: z.string().optional(),
  agentSessionId: z.string().optional().describe('To resume by.'),
});
export type SessionSpec = z.infer<typeof sessionSpecSchema>;

const command = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });
const prompt = z.object({
  id: z.string(),
  content: z.array(promptBlockSchema),
  history: z
    .string()
    .optional()
    .describe(
      'What was said before on another machine, for an agent that cannot resume the conversation from its own log.',
    ),
  trace: z
    .object({ traceparent: z.string(), tracestate: z.string().optional() })
    .optional()
    .describe('The trace that it belongs to, as W3C writes it.'),
});

/** What a runner is asked to do in a session. Each is carried out once; one that comes too late does nothing. */
export const runnerCommandSchema = z.discriminatedUnion('type', [
  command('open', {}),
  command('fork', { agentSessionId: z.string(), beforeMessageId: z.string().optional() }),
  command('prompt', { prompt }),
  command('steer', { prompt }),
  command('cancel', {
    turnId: z.string().optional(),
    promptId: z.string().optional().describe('The turn that it begins, where the hub does not know of it yet.'),
  }),
  command('answer', { approvalId: z.string(), reply: approvalAnswerSchema }),
  command('revert', {
    messageId: z.string(),
    revertId: z.string().optional().describe('Told again with what came of it.'),
  }),
  command('configure', { model: z.string().optional(), mode: z.string().optional() }),
  command('close', { isRemoved: z.boolean().describe('The session is gone for good, its worktree too.') }),
]);
export type RunnerCommand = z.infer<typeof runnerCommandSchema>;

/** A command on its way. Numbers rise by one within a runner. */
export interface NumberedCommand {
  number: number;
  session: SessionSpec;
  command: RunnerCommand;
}

/** A session that the hub believes to be at work. */
interface OpenAtHub {
  sessionId: string;
  turnId?: string | undefined;
  approvalIds: readonly string[];
  /** When the hub last heard of it. */
  lastAt?: number | undefined;
  /** What the turn was to begin with, where the hub never heard that the agent was ready for it. */
  unbegun?: UnbegunTurn | undefined;
}

/** A turn whose prompt no agent was given: a runner that was started anew since can begin it. */
export interface UnbegunTurn {
  session: SessionSpec;
  prompt: BackendPrompt;
}

/** What the hub believes to be going on at a runner, told before the first command of a connection. */
export interface RunnerSync {
  /** Sessions with a turn that has not ended or questions that wait. What the runner knows nothing of has been interrupted. */
  open: readonly OpenAtHub[];
  /** The last command that was carried out. */
  handled: number;
  /** The last number that a command was given; absent from older hubs. Less than a runner knows: the hub was set back, and counts anew. */
  commanded?: number | undefined;
}

const inSession = { session: sessionSpecSchema };
const paths = z.array(z.string());

/** A question to the machine itself, answered at once or not at all. Paths are from the folder of the session. */
export const runnerAskSchema = z.discriminatedUnion('method', [
  z.object({ method: z.literal('list-folder'), path: z.string().optional() }),
  z.object({ method: z.literal('list-agents') }),
  z.object({ method: z.literal('list-files'), ...inSession, path: z.string().optional() }),
  z.object({ method: z.literal('find-files'), ...inSession, q: z.string(), limit: z.number() }),
  z.object({ method: z.literal('read-file'), ...inSession, path: z.string() }),
  z.object({ method: z.literal('read-image'), ...inSession, path: z.string(), from: z.number().int().min(0) }),
  z.object({ method: z.literal('list-file-changes'), ...inSession }),
  z.object({ method: z.literal('read-diff'), ...inSession, path: z.string(), staged: z.boolean() }),
  z.object({ method: z.literal('stage-files'), ...inSession, paths, isStaged: z.boolean() }),
  z.object({ method: z.literal('discard-changes'), ...inSession, paths }),
  z.object({ method: z.literal('commit-changes'), ...inSession, message: z.string(), author: z.string() }),
]);
export type RunnerAsk = z.infer<typeof runnerAskSchema>;

/** What is in a folder of a session. */
export const fileEntriesSchema = z.object({
  path: z.string().describe('Empty for the folder itself.'),
  entries: z.array(
    z.object({ name: z.string(), path: z.string(), kind: z.enum(['file', 'folder']), size: z.number().optional() }),
  ),
  isCut: z.boolean().describe('There is more than is listed.'),
});
export type FileEntries = z.infer<typeof fileEntriesSchema>;

/** Files found by a part of their path. */
export const foundFilesSchema = z.object({ files: z.array(z.object({ path: z.string() })) });
export type FoundFiles = z.infer<typeof foundFilesSchema>;

/** A file of a session. */
export const fileContentSchema = z.object({
  path: z.string(),
  size: z.number(),
  text: z.string().optional().describe('Absent where it is not text.'),
  isCut: z.boolean().describe('Only its beginning is here.'),
});
export type FileContent = z.infer<typeof fileContentSchema>;

/** Larger images are not shown. */
export const MOST_IMAGE_BYTES = 10 * 1024 * 1024;

/** The kinds of images that browsers show. */
const imageTypeSchema = z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml']);

/** A piece of an image of a session, from a byte on: a whole one would hold up what else the runner has to say. */
export const imagePieceSchema = z.object({
  mediaType: imageTypeSchema.describe('By its bytes, whatever its name says.'),
  size: z.number().int().min(1).max(MOST_IMAGE_BYTES).describe('Of the whole image.'),
  version: z.string().max(200).describe('Another one means that the file has changed since.'),
  data: z.string().max(2_000_000).describe('In base64, up to 1 MiB of it.'),
});
export type ImagePiece = z.infer<typeof imagePieceSchema>;

const changeKind = z.enum(['added', 'modified', 'deleted', 'renamed', 'conflicted']);

/** What git says of a session's folder. */
export const fileChangesSchema = z.object({
  isRepository: z.boolean(),
  branch: z.string().optional(),
  upstream: z.string().optional(),
  ahead: z.number().optional(),
  behind: z.number().optional(),
  files: z.array(
    z.object({
      path: z.string(),
      oldPath: z.string().optional(),
      staged: changeKind.optional(),
      unstaged: changeKind.optional().describe('A file git does not know yet is "added".'),
      added: z.number().optional().describe('Lines, staged or not; absent where it is not text.'),
      removed: z.number().optional(),
    }),
  ),
  isCut: z.boolean(),
});
export type FileChanges = z.infer<typeof fileChangesSchema>;

/** How one file changed, as a unified diff. */
export const fileDiffTextSchema = z.object({ path: z.string(), unified: z.string(), isCut: z.boolean() });
export type FileDiffText = z.infer<typeof fileDiffTextSchema>;

/** What is in a folder of a runner's machine, for people who choose where an agent works. */
export const folderListingSchema = z.object({
  path: z.string(),
  parent: z.string().optional(),
  isRepository: z.boolean(),
  folders: z.array(z.object({ name: z.string(), path: z.string(), isRepository: z.boolean() })),
});
export type FolderListing = z.infer<typeof folderListingSchema>;

/** What a runner's stream of commands carries, one per server-sent event. */
export type RunnerMessage =
  | { type: 'sync'; sync: RunnerSync }
  | { type: 'command'; command: NumberedCommand }
  | { type: 'ask'; askId: string; ask: RunnerAsk }
  /** Nobody waits for the answer any more. */
  | { type: 'ask-ended'; askId: string };

/** How a runner reaches its hub: over HTTP, or by a call where both are in one process. */
export interface HubLink {
  hello(hello: RunnerHello, signal: AbortSignal): Promise<RunnerWelcome>;
  send(runnerId: string, batch: OutboxBatch, signal: AbortSignal): Promise<OutboxAck>;
  /** Calls `receive` with each message, one after the other, until the connection ends, which rejects. */
  listen(runnerId: string, receive: (message: RunnerMessage) => void, signal: AbortSignal): Promise<void>;
  reply(
    runnerId: string,
    askId: string,
    answer: { result: unknown } | { error: { code: string; message: string } },
  ): Promise<void>;
}
