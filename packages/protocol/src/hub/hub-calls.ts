import { z } from 'zod';
import type { ApiCall } from '../api/api-call.ts';
import { roleSchema } from '../role.ts';
import { attachedBlockSchema } from './attached-block.ts';
import { hubRunnerSchema, hubSessionSchema, sessionStatusSchema, waitingApprovalSchema } from './hub-session.ts';
import { CHANNEL_CALLS } from './channel-calls.ts';
import type { HubCallName } from './hub-routes.ts';
import {
  fileChangesSchema,
  fileContentSchema,
  fileDiffTextSchema,
  fileEntriesSchema,
  folderListingSchema,
  foundFilesSchema,
  outboxAckSchema,
  outboxBatchSchema,
  runnerHelloSchema,
  runnerWelcomeSchema,
} from './runner-wire.ts';

const ofSession = z.object({ sessionId: z.string() });
const ofRunner = z.object({ runnerId: z.string() });
/** In an address everything is text. */
const count = z.coerce.number().int().min(0);
const yesNo = z.enum(['true', 'false']).transform((text) => text === 'true');
const nothing = z.object({});

/** From the folder of the session. */
const filePath = z.string().min(1).max(4096);
/** A part of the path of a file. */
const fileQuery = z.object({ q: z.string().max(200), limit: count.min(1).max(100).optional() });
const title = z.string().trim().min(1).max(200);
/** Longer than any model reads; what is longer is attached as a file. */
const MAX_PROMPT_CHARS = 1_000_000;
/** A prompt by a person: words, and what they attach. */
const promptBodySchema = z.strictObject({
  id: z.string().min(1).max(100).optional().describe('Made by the client, so that a repeated call is the same prompt.'),
  text: z.string().max(MAX_PROMPT_CHARS).optional(),
  content: z
    .array(attachedBlockSchema)
    .max(1000)
    .refine(
      (blocks) =>
        blocks.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0) <= MAX_PROMPT_CHARS,
      `the words have more than ${MAX_PROMPT_CHARS} characters; attach them as a file`,
    )
    .optional(),
  delivery: z.enum(['queue', 'steer']).optional(),
  channel: z
    .string()
    .max(40)
    .optional()
    .describe('Where the person is: web, telegram, lark; api where nothing is said.'),
});

/** A rule that was saved by answering "always". */
export const savedRuleSchema = z.object({
  id: z.string(),
  runnerId: z.string().optional().describe('The machine the folder is on.'),
  folder: z.string(),
  tool: z.string(),
  pattern: z.string(),
  by: z.string(),
  createdAt: z.number(),
});
export type SavedRule = z.infer<typeof savedRuleSchema>;

/** A place where something was said. */
export const searchHitSchema = z.object({
  sessionId: z.string(),
  sessionTitle: z.string(),
  seq: z.number(),
  role: z.string(),
  kind: z.string().describe('The type of the block.'),
  at: z.number(),
  excerpt: z.string(),
  marks: z.array(z.tuple([z.number(), z.number()])).describe('Where in the excerpt the words are: from, to.'),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

/** What a browser is notified of. */
const pushAboutSchema = z.object({ approvals: z.boolean(), failures: z.boolean(), finished: z.boolean() });

/** A browser that is notified. */
const pushSubscriptionSchema = z.object({
  id: z.string(),
  name: z.string().describe('Which browser on which machine, in words.'),
  about: pushAboutSchema,
  createdAt: z.number(),
  lastError: z.string().optional().describe('Why the last notification did not arrive.'),
});
export type PushSubscriptionInfo = z.infer<typeof pushSubscriptionSchema>;

/** An event as the log gives it out; readers of an older program pass over what they do not know. */
export const loggedHubEventSchema = z.object({ seq: z.number(), at: z.number(), event: z.unknown() });

/** The shapes of every call, under the names of `HUB_ROUTES`. */
export const HUB_CALLS = {
  me: { answer: z.object({ userId: z.string(), name: z.string(), role: roleSchema }) },

  listRunners: { answer: z.object({ runners: z.array(hubRunnerSchema) }) },
  removeRunner: { params: ofRunner, answer: nothing },
  listFolder: { params: ofRunner, query: z.object({ path: z.string().optional() }), answer: folderListingSchema },
  findFolderFiles: {
    params: ofRunner,
    query: fileQuery.extend({ folder: filePath }),
    answer: foundFilesSchema,
  },

  createSession: {
    body: z.strictObject({
      id: z
        .string()
        .regex(/^ses_[0-9a-hjkmnp-tv-z]{26}$/, 'expected "ses_" and 26 letters and digits')
        .optional()
        .describe('Made by the client, so that a repeated call is the same session.'),
      agent: z.string().min(1),
      runnerId: z
        .string()
        .optional()
        .describe(
          'Where nothing is said: the server itself, where the caller may use it; of several servers on one database, the one where they worked last.',
        ),
      folder: z.string().min(1),
      worktree: z.boolean().optional(),
      model: z.string().optional(),
      mode: z.string().optional(),
      title: title.optional(),
      prompt: promptBodySchema.optional(),
    }),
    answer: hubSessionSchema,
  },
  listSessions: {
    query: z.object({
      status: sessionStatusSchema.optional(),
      agent: z.string().optional(),
      runnerId: z.string().optional(),
      folder: z.string().optional(),
      archived: yesNo.optional(),
      pinned: yesNo.optional(),
      before: z.string().optional().describe('The `next` of the page before.'),
      limit: count.max(200).optional(),
    }),
    answer: z.object({ sessions: z.array(hubSessionSchema), next: z.string().optional() }),
  },
  getSession: { params: ofSession, answer: hubSessionSchema },
  updateSession: {
    params: ofSession,
    body: z.strictObject({
      title: title.optional(),
      pinned: z.boolean().optional(),
      archived: z.boolean().optional(),
      model: z.string().optional(),
      mode: z.string().optional(),
    }),
    answer: hubSessionSchema,
  },
  removeSession: { params: ofSession, answer: nothing },
  forkSession: {
    params: ofSession,
    body: z.strictObject({ beforeMessageId: z.string().optional(), title: title.optional() }),
    answer: hubSessionSchema,
  },
  closeSession: { params: ofSession, answer: hubSessionSchema },
  moveSession: {
    params: ofSession,
    body: z.strictObject({
      runnerId: z
        .string()
        .describe(
          'The machine that it goes to, which must be connected. It may be the one where it is, to change folder or agent.',
        ),
      folder: z.string().min(1).optional().describe('The folder there; the same path as before where nothing is said.'),
      agent: z.string().min(1).optional().describe('An agent there; the same as before where nothing is said.'),
    }),
    answer: hubSessionSchema,
  },
  markRead: { params: ofSession, body: z.strictObject({ seq: z.number().int().min(0) }), answer: nothing },
  exportSession: { params: ofSession, query: z.object({ format: z.enum(['markdown', 'json']).optional() }) },

  revertSession: {
    params: ofSession,
    body: z.strictObject({ messageId: z.string().min(1).describe('The prompt that goes, with all that followed.') }),
    answer: z.object({ files: z.array(z.string()).describe('Files that are as they were before.') }),
  },

  listFiles: { params: ofSession, query: z.object({ path: filePath.optional() }), answer: fileEntriesSchema },
  findFiles: {
    params: ofSession,
    query: fileQuery,
    answer: foundFilesSchema,
  },
  readFile: { params: ofSession, query: z.object({ path: filePath }), answer: fileContentSchema },
  readImage: {
    params: ofSession,
    query: z.object({ path: filePath.describe('From the folder of the session, or a whole path inside of it.') }),
  },
  listFileChanges: { params: ofSession, answer: fileChangesSchema },
  readDiff: {
    params: ofSession,
    query: z.object({ path: filePath, staged: yesNo.optional().describe('What is staged, else what is not.') }),
    answer: fileDiffTextSchema,
  },
  stageFiles: {
    params: ofSession,
    body: z.strictObject({ paths: z.array(filePath).min(1).max(1000), isStaged: z.boolean() }),
    answer: fileChangesSchema,
  },
  discardChanges: {
    params: ofSession,
    body: z.strictObject({ paths: z.array(filePath).min(1).max(1000) }),
    answer: fileChangesSchema,
  },
  commitChanges: {
    params: ofSession,
    body: z.strictObject({ message: z.string().trim().min(1).max(10_000) }),
    answer: z.object({ commit: z.string(), changes: fileChangesSchema }),
  },

  readPush: {
    answer: z.object({ publicKey: z.string(), subscriptions: z.array(pushSubscriptionSchema) }),
  },
  subscribePush: {
    body: z.strictObject({
      endpoint: z.url().max(2000),
      keys: z.strictObject({ p256dh: z.string().max(200), auth: z.string().max(100) }),
      name: z.string().trim().min(1).max(100),
      about: pushAboutSchema,
      language: z.enum(['en', 'zh']),
    }),
    answer: pushSubscriptionSchema,
  },
  unsubscribePush: { params: z.object({ subscriptionId: z.string() }), answer: nothing },
  testPush: { params: z.object({ subscriptionId: z.string() }), answer: nothing },

  ...CHANNEL_CALLS,

  sendPrompt: {
    params: ofSession,
    body: promptBodySchema,
    answer: z.object({ promptId: z.string(), isNew: z.boolean(), delivery: z.enum(['queue', 'steer']) }),
  },
  withdrawPrompt: { params: ofSession.extend({ promptId: z.string() }), answer: nothing },
  cancelTurn: { params: ofSession, answer: z.object({ turnId: z.string().optional() }) },

  listApprovals: { answer: z.object({ approvals: z.array(waitingApprovalSchema) }) },
  decideApproval: {
    params: ofSession.extend({ approvalId: z.string() }),
    body: z.strictObject({
      optionId: z.string().optional(),
      text: z.string().optional().describe('An answer in words, or what the agent should know with the decision.'),
      reject: z.boolean().optional().describe('No, whatever options the agent offers.'),
      always: z.boolean().optional().describe('Also saves the rule, for this project.'),
      channel: z.string().max(40).optional(),
    }),
    answer: z.object({ decidedBy: z.string(), decision: z.string() }),
  },
  listRules: { answer: z.object({ rules: z.array(savedRuleSchema) }) },
  removeRule: { params: z.object({ ruleId: z.string() }), answer: nothing },

  readEvents: { params: ofSession, query: z.object({ after: count.optional() }) },
  readLog: {
    params: ofSession,
    query: z.object({
      after: count.optional(),
      limit: count.min(1).max(5000).optional(),
      last: count.min(1).max(5000).optional().describe('So many of the last events instead, as far as they fit.'),
    }),
    answer: z.object({ events: z.array(loggedHubEventSchema), seq: z.number() }),
  },
  readChanges: {},
  readLive: {
    query: z.object({
      lists: yesNo.optional().describe('Whether sessions and machines are told of as they change.'),
      sessions: z
        .string()
        .regex(
          /^[\w-]{1,100}\.\d{1,15}(,[\w-]{1,100}\.\d{1,15}){0,99}$/,
          'expected up to 100 sessions, as ses_a.12,ses_b.0',
        )
        .optional()
        .describe('Up to 100 sessions, each with the number of the event it is known up to: ses_a.12,ses_b.0'),
    }),
  },
  search: {
    query: z.object({
      q: z.string().min(1).max(500),
      sessionId: z.string().optional(),
      limit: count.max(100).optional(),
    }),
    answer: z.object({ hits: z.array(searchHitSchema) }),
  },
  getAttachment: { params: z.object({ attachmentId: z.string() }) },

  runnerHello: { body: runnerHelloSchema, answer: runnerWelcomeSchema },
  runnerEvents: { params: ofRunner, body: outboxBatchSchema, answer: outboxAckSchema },
  runnerCommands: { params: ofRunner },
  runnerReply: { params: ofRunner.extend({ askId: z.string() }), body: z.unknown(), answer: nothing },
} as const satisfies Record<HubCallName, ApiCall>;

/** What lists are told as it changes; after a reconnection a reader asks for the list again. */
export type HubChange =
  | { type: 'session'; session: z.infer<typeof hubSessionSchema> }
  | { type: 'session-removed'; sessionId: string }
  | { type: 'runner'; runner: z.infer<typeof hubRunnerSchema> };
