import { z } from 'zod';
import type { ApiCall } from '../api/api-call.ts';
import type { CHANNEL_ROUTES } from './channel-routes.ts';

const language = z.enum(['en', 'zh']);
const nothing = z.object({});

/** How a channel is. */
const channelStateSchema = z.object({
  type: z.enum(['off', 'starting', 'on', 'trouble', 'failed']).describe('off: nothing is configured.'),
  reason: z.string().optional(),
  since: z.number().optional(),
});

/** Something to fill in. A secret that is set is never given out again. */
const channelFieldSchema = z.object({
  name: z.string().describe('The setting below `channels.<channel>`.'),
  label: z.string(),
  kind: z.enum(['text', 'secret', 'choice']),
  choices: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  help: z.string().optional(),
  placeholder: z.string().optional(),
  isRequired: z.boolean(),
  isSet: z.boolean(),
  value: z.string().optional(),
});
export type ChannelFieldInfo = z.infer<typeof channelFieldSchema>;

/** An account that is bound to a user. */
const channelBindingSchema = z.object({
  accountId: z.string(),
  accountName: z.string(),
  user: z.string(),
  isMine: z.boolean(),
  createdAt: z.number(),
});
export type ChannelBinding = z.infer<typeof channelBindingSchema>;

/** A chat that the bot is in. */
const channelChatSchema = z.object({
  chatId: z.string(),
  kind: z.enum(['private', 'group']),
  title: z.string().optional(),
  state: z
    .enum(['open', 'asked', 'refused', 'closed'])
    .describe('asked: an admin has not said yet whether the bot may speak.'),
  problem: z.string().optional(),
  sessionId: z.string().optional(),
  sessionTitle: z.string().optional(),
  isMuted: z.boolean(),
  isConnected: z.boolean().optional().describe('Of a private chat: whether the bot knows whose it is.'),
  updatedAt: z.number(),
});
export type ChannelChat = z.infer<typeof channelChatSchema>;

/** A chat platform as the console shows it. */
const channelInfoSchema = z.object({
  name: z.string(),
  title: z.string(),
  isConfigured: z.boolean(),
  state: channelStateSchema,
  bot: z.object({ name: z.string(), link: z.string().optional() }).optional(),
  guide: z.array(z.string()).describe('What to do to set it up, in order, as Markdown.'),
  savedAt: z
    .int()
    .positive()
    .optional()
    .describe('The step, counted from 1, with which the form is saved; those behind it need a bot that runs.'),
  minutes: z.int().positive().optional().describe('About how long that takes.'),
  fields: z.array(channelFieldSchema).describe('For admins.'),
  bindings: z.array(channelBindingSchema).describe('One’s own; all of them for admins.'),
  chats: z.array(channelChatSchema).describe('For admins.'),
});
export type ChannelInfo = z.infer<typeof channelInfoSchema>;

/** One thing a channel needs, and whether it is there. */
const setupStepSchema = z.object({
  id: z.string(),
  title: z.string(),
  state: z.enum(['ok', 'missing', 'wrong', 'unknown']),
  text: z.string(),
  fix: z.string().optional(),
});
export type ChannelSetupStep = z.infer<typeof setupStepSchema>;

/** The shapes of these calls, under the names of `CHANNEL_ROUTES`. */
export const CHANNEL_CALLS = {
  readChannels: {
    query: z.object({ language: language.optional() }),
    answer: z.object({ channels: z.array(channelInfoSchema) }),
  },
  checkChannel: {
    params: z.object({ channel: z.string() }),
    body: z.strictObject({ language }),
    answer: z.object({ steps: z.array(setupStepSchema) }),
  },
  createBindCode: {
    body: z.strictObject({ language }),
    answer: z.object({
      code: z.string(),
      expiresAt: z.number(),
      ways: z.array(
        z.object({
          channel: z.string(),
          title: z.string(),
          say: z.string().describe('What to write to the bot.'),
          bot: z.string().optional(),
          link: z.string().optional().describe('Opens the chat with the bot and says it.'),
        }),
      ),
    }),
  },
  removeBinding: { params: z.object({ channel: z.string(), accountId: z.string() }), answer: nothing },
  setChat: {
    params: z.object({ channel: z.string(), chatId: z.string() }),
    body: z.strictObject({ isAllowed: z.boolean() }),
    answer: channelChatSchema,
  },
} as const satisfies Record<keyof typeof CHANNEL_ROUTES, ApiCall>;
