import { secretSchema } from '@dragoman/server/base';
import { z } from 'zod';

/** The Telegram bot in `dragoman.json`. */
export const telegramConfigSchema = z
  .strictObject({
    token: secretSchema.describe('Token from @BotFather, preferably as "{secret:telegram}" or "{env:NAME}".'),
    receive: z
      .enum(['polling', 'webhook'])
      .default('polling')
      .describe('polling needs no public address; webhook needs an https address in `server.publicUrl`.'),
    apiUrl: z.url().default('https://api.telegram.org').describe('Another Bot API server, such as your own.'),
  })
  .describe('A Telegram bot.');
export type TelegramSettings = z.output<typeof telegramConfigSchema>;
