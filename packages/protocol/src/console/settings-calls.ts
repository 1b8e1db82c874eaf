import { z } from 'zod';
import type { ApiCall } from '../api/api-call.ts';
import { jsonValueSchema } from '../json/json-value.ts';
import { modelPatternsSchema } from '../model/model-patterns.ts';
import { roleSchema, tokenRoleSchema } from '../role.ts';
import type { SETTINGS_ROUTES } from './settings-routes.ts';

const nothing = z.object({});
const ofUser = z.object({ userId: z.string() });

/** How one of the servers that share their settings stands to them. */
const serverSettingsSchema = z.object({
  name: z.string(),
  isThis: z.boolean().describe('The one that answers.'),
  isUpToDate: z.boolean(),
  problem: z.string().optional().describe('Why not all settings are in force there; what was good before is.'),
  forNextStart: z.array(z.string()).describe('Changed settings that take effect after a restart.'),
});
export type ServerSettings = z.infer<typeof serverSettingsSchema>;

/** The configuration as people edit it. */
export const settingsSchema = z.object({
  file: z.string(),
  version: z.string().describe('Of the file’s text; a change to another one is refused.'),
  /** References such as `{secret:name}` as they are; a secret that stands there in the clear is masked. */
  settings: z.record(z.string(), z.unknown()),
  overridden: z.array(z.array(z.string())).describe('Paths that an option or the environment decides.'),
  problem: z
    .string()
    .optional()
    .describe('Why the file, or what servers share, is not in force as it is; what was good before is.'),
  forNextStart: z
    .array(z.string())
    .optional()
    .describe('Changed settings that take effect after a restart of this server; absent where there are none.'),
  servers: z
    .array(serverSettingsSchema)
    .optional()
    .describe('The servers that share their settings; absent where one is alone.'),
});
export type Settings = z.infer<typeof settingsSchema>;

/** One change: a value for a path, or nothing to take it out. */
export const settingChangeSchema = z.strictObject({
  path: z.array(z.string().min(1)).min(1).max(8),
  value: jsonValueSchema.optional(),
});
export type SettingChange = z.infer<typeof settingChangeSchema>;

/** A person. */
export const userSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: roleSchema,
  createdAt: z.number(),
  lastSeenAt: z.number().optional(),
});
export type UserInfo = z.infer<typeof userSchema>;

/** A token without its text. */
export const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['token', 'browser']),
  userId: z.string(),
  userName: z.string(),
  role: tokenRoleSchema,
  createdAt: z.number(),
  expiresAt: z.number().optional(),
  lastUsedAt: z.number().optional(),
  models: z.array(z.string()).optional().describe('The names it may ask for; absent where it may ask for all.'),
  isThis: z.boolean().describe('The one this was asked with.'),
});
export type TokenSummary = z.infer<typeof tokenSchema>;

const SECRET_NAME = 'a secret name must be 1 to 100 letters, digits, ".", "-" and "_", starting with a letter or digit';
const userName = z.string().trim().min(1).max(60);

/** The shapes of every call, under the names of `SETTINGS_ROUTES`. */
export const SETTINGS_CALLS = {
  readSettings: { answer: settingsSchema },
  changeSettings: {
    body: z.strictObject({
      version: z.string().optional().describe('The one that was read; without it, whatever is there is changed.'),
      changes: z.array(settingChangeSchema).max(100),
      secrets: z
        .record(z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/, SECRET_NAME), z.string().min(1).max(10_000))
        .optional()
        .describe('Secrets to keep, by name, for changes that refer to them as {secret:name}.'),
    }),
    answer: settingsSchema,
  },
  listSecrets: {
    answer: z.object({ secrets: z.array(z.object({ name: z.string(), usedBy: z.array(z.string()) })) }),
  },
  removeSecret: { params: z.object({ name: z.string() }), answer: nothing },
  listUsers: { answer: z.object({ users: z.array(userSchema) }) },
  createUser: { body: z.strictObject({ name: userName, role: roleSchema }), answer: userSchema },
  updateUser: {
    params: ofUser,
    body: z.strictObject({ name: userName.optional(), role: roleSchema.optional() }),
    answer: userSchema,
  },
  removeUser: { params: ofUser, answer: nothing },
  createLoginLink: { params: ofUser, answer: z.object({ url: z.string(), expiresAt: z.number() }) },
  listTokens: { answer: z.object({ tokens: z.array(tokenSchema) }) },
  createToken: {
    body: z.strictObject({
      name: z.string().trim().min(1).max(60),
      role: tokenRoleSchema
        .optional()
        .describe('Not more than one’s own, which it is where nothing is said; models calls models and nothing else.'),
      expiresAt: z.number().optional(),
      models: modelPatternsSchema
        .optional()
        .describe(
          'The names it may ask for, routes and provider/model, with "*" for the rest of a name; not more than the token that makes it may.',
        ),
    }),
    answer: z.object({ token: tokenSchema, text: z.string() }),
  },
  revokeToken: { params: z.object({ tokenId: z.string() }), answer: nothing },
  logIn: {
    body: z.strictObject({
      code: z.string().min(1).max(200),
      userId: z
        .string()
        .max(100)
        .optional()
        .describe('Who is logged in already. A link of somebody else is then refused, and stays good.'),
    }),
    answer: z.object({ pageSecret: z.string() }),
  },
  logOut: { answer: nothing },
  holdLease: {
    query: z.object({
      workspace: z
        .union([
          z
            .string()
            .max(4096)
            .transform((folder) => [folder]),
          z.array(z.string().max(4096)).max(32),
        ])
        .default([])
        .describe(
          'A folder of the server’s machine that is open in the editor that asks, once for each. Only an admin may name some: `retrieval.editorFolders` has them searched.',
        ),
    }),
  },
  about: {
    answer: z.object({
      version: z.string(),
      node: z.string(),
      platform: z.string(),
      startedAt: z.number(),
      store: z.enum(['sqlite', 'postgres']),
      memoryBytes: z.number(),
      dataFolder: z.string().optional().describe('For admins.'),
      publicUrl: z.string(),
    }),
  },
  diagnose: {
    answer: z.object({
      isWell: z.boolean(),
      findings: z.array(z.object({ subject: z.string(), isWell: z.boolean(), says: z.string() })),
      settings: z.array(z.object({ setting: z.string(), value: z.string(), from: z.string() })),
    }),
  },
} as const satisfies Record<keyof typeof SETTINGS_ROUTES, ApiCall>;
