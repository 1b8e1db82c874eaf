import { secretSchema } from '@dragoman/server/base';
import { z } from 'zod';

/** The Lark or Feishu bot in `dragoman.json`. */
export const larkConfigSchema = z
  .strictObject({
    appId: z.string().min(1).describe('App ID, such as "cli_…".'),
    appSecret: secretSchema.describe('App Secret, preferably as "{secret:lark}" or "{env:NAME}".'),
    domain: z
      .union([z.enum(['feishu', 'lark']), z.url()])
      .default('feishu')
      .describe('feishu.cn, larksuite.com, or your own address.'),
    receive: z
      .enum(['connection', 'webhook'])
      .default('connection')
      .describe(
        'connection needs no public address; webhook needs `server.publicUrl`, the encrypt key and the verification token.',
      ),
    encryptKey: secretSchema.optional().describe('From "Events & callbacks"; for webhooks.'),
    verificationToken: secretSchema.optional().describe('From "Events & callbacks"; for webhooks.'),
  })
  .describe('A Lark or Feishu bot.');
export type LarkSettings = z.output<typeof larkConfigSchema>;
