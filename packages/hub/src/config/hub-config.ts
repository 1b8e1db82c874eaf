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
        .describe('How long an agent waits for an answer to an approval; then the answer is no.'),
      maxQueued: z.int().min(1).max(10_000).default(200).describe('How many prompts may wait in one session.'),
    })
    .prefault({})
    .describe('Sessions of agents: how long approvals wait, and what may queue up.'),
  channels: channelsConfigSchema,
};

/** The sections as the program reads it. */
export interface HubConfig {
  hub: { approvalMinutes: number; maxQueued: number };
  /** Absent where nobody asked for chats. */
  channels?: ChannelsConfig | undefined;
}
