import { z } from 'zod';
import { type ChannelsConfig, channelsConfigSchema } from '../channels/channels-config.ts';

/** The hub's sections of `dragoman.json`. */
export const hubConfigShape = {
  hub: z
    .strictObject({
      approvalMinutes: z
        .number()
        .positive()
        .max(60 * 24 * 30)
        .default(60)
        .describe('How long an agent waits for an approval before it is denied.'),
      maxQueued: z.int().min(1).max(10_000).default(200).describe('Maximum number of queued prompts in a session.'),
      goneAfterHours: z
        .number()
        .positive()
        .max(24 * 365)
        .default(24)
        .describe('How long a machine may be offline before prompts for its sessions are refused instead of queued.'),
    })
    .prefault({})
    .describe(
      'Agent sessions: how long approvals wait, how many prompts can queue, and for how long they wait for a machine.',
    ),
  channels: channelsConfigSchema,
};

/** The sections as the program reads it. */
export interface HubConfig {
  hub: { approvalMinutes: number; maxQueued: number; goneAfterHours: number };
  /** Absent where nobody asked for chats. */
  channels?: ChannelsConfig | undefined;
}
