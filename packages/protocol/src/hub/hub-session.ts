import { z } from 'zod';
import { backendCapabilitiesSchema, faultSchema } from '../uap/backend-event.ts';
import { approvalSchema } from '../uap/approval.ts';
import { hubSessionInfoSchema } from './hub-event.ts';

/** What is going on in a session, as lists show it. */
export const sessionStatusSchema = z
  .enum(['starting', 'idle', 'running', 'waiting', 'stopped', 'failed'])
  .describe('waiting: an approval waits for a person.');
export type SessionStatus = z.infer<typeof sessionStatusSchema>;

/** A machine that is not connected, as its sessions tell of it. */
const machineAwaySchema = z.object({
  machine: z.string().describe('Its name.'),
  since: z.number().describe('When the hub last heard of it.'),
  state: z
    .enum(['away', 'gone', 'forgotten'])
    .describe('away: prompts wait for it. gone: for so long that prompts are refused. forgotten: somebody removed it.'),
});
export type MachineAway = z.infer<typeof machineAwaySchema>;

/** A session as lists show it. */
export const hubSessionSchema = hubSessionInfoSchema.extend({
  status: sessionStatusSchema,
  isOnline: z.boolean().describe('The runner it works on is connected.'),
  away: machineAwaySchema.optional().describe('How its machine is away; absent where it is connected.'),
  isPinned: z.boolean(),
  isArchived: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number().describe('When something new happened last: in a turn, a question or a failure.'),
  seq: z.number().describe('The number of its last event.'),
  newsSeq: z.number().describe('The number of the last event that is new to people. Unread: it is beyond readSeq.'),
  readSeq: z.number().describe('Up to where the caller has read.'),
  queued: z.number(),
  waitingApprovals: z.number(),
  turnId: z.string().optional().describe('The turn that runs.'),
  agentSessionId: z.string().optional(),
  cwd: z.string().optional(),
  branch: z.string().optional(),
  lastText: z.string().describe('The beginning of what was said last.'),
  lastError: faultSchema.optional(),
  plan: z
    .object({ done: z.number(), total: z.number() })
    .optional()
    .describe('How far the agent is with its plan, where it made one.'),
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number(),
  capabilities: backendCapabilitiesSchema,
});
export type HubSession = z.infer<typeof hubSessionSchema>;

/** An approval that waits, with the session it belongs to. */
export const waitingApprovalSchema = approvalSchema.extend({
  sessionId: z.string(),
  sessionTitle: z.string(),
  askedAt: z.number(),
  expiresAt: z.number(),
});
export type WaitingApproval = z.infer<typeof waitingApprovalSchema>;

/** An agent that a runner can start. */
export const agentOfferSchema = z.object({
  name: z.string(),
  backend: z.string(),
  title: z.string().optional(),
  isPreset: z.boolean().optional().describe('It is known by its name: it only has to be installed.'),
  capabilities: backendCapabilitiesSchema,
  usual: z
    .object({ model: z.string().optional(), mode: z.string().optional() })
    .optional()
    .describe('What it uses where nothing is chosen, as far as that is known before it runs.'),
  choices: z
    .object({
      models: z
        .literal('gateway')
        .optional()
        .describe('It asks the gateway of the server, so the names there are its models.'),
      modes: z.array(z.string()).optional().describe('The modes that it always has.'),
    })
    .optional()
    .describe('What can be chosen before it runs and tells that itself.'),
  problem: faultSchema.optional().describe('Why it cannot be started on that machine, and what to do.'),
});
export type AgentOffer = z.infer<typeof agentOfferSchema>;

/** A machine that hosts agents. */
export const hubRunnerSchema = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  version: z.string(),
  owner: z.string(),
  isShared: z.boolean().describe('Every member may start sessions on it, not only its owner and admins.'),
  isConnected: z.boolean(),
  isServer: z
    .boolean()
    .optional()
    .describe(
      'It is the server itself, where sessions start unless a machine is named. Several servers on one database have one each.',
    ),
  lastSeenAt: z.number(),
  folders: z.array(z.string()).describe('Where agents may work; empty: anywhere.'),
  agents: z.array(agentOfferSchema),
});
export type HubRunner = z.infer<typeof hubRunnerSchema>;
