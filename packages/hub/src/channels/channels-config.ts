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
      .describe('The model that writes voice messages down, such as "openai/whisper-1".'),
  })
  .prefault({})
  .describe('Chats in which people read, prompt and approve.');
export type ChannelsConfig = z.output<typeof channelsConfigSchema>;
