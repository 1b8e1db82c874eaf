import { z } from 'zod';
import { larkConfigSchema } from '../lark/lark-config.ts';
import { telegramConfigSchema } from '../telegram/telegram-config.ts';

/** Chat platforms in `dragoman.json`, one entry for each. */
export const channelsConfigSchema = z
  .strictObject({
    telegram: telegramConfigSchema.optional(),
    lark: larkConfigSchema.optional(),
    transcription: z
      .string()
      .regex(/^[^/]+\/.+$/, 'expected "provider/model"')
      .optional()
      .describe('Model that transcribes voice messages, such as "openai/whisper-1".'),
  })
  .prefault({})
  .describe('Chat apps where people can read sessions, send prompts and answer approvals.');
export type ChannelsConfig = z.output<typeof channelsConfigSchema>;
