import { secretSchema } from '@dragoman/server/base';
import { z } from 'zod';

const milliseconds = z.int().min(1).max(3_600_000);

const shared = {
  timeout: milliseconds.optional().describe('Time limit for a call, in milliseconds. Defaults to mcp_timeout.'),
  enabled: z.boolean().default(true).describe('Set to false to turn the server off but keep its settings.'),
};

const stdioServerSchema = z.strictObject({
  command: z.array(z.string().min(1)).min(1).describe('The program and its arguments: ["npx", "-y", "some-server"].'),
  env: z
    .record(z.string().min(1), z.union([z.literal(''), secretSchema]))
    .default({})
    .describe(
      'Environment variables in addition to PATH, HOME and similar ones. Preferably as "{env:NAME}" or "{secret:name}".',
    ),
  cwd: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder to start in, relative to the project. Defaults to the project if it is trusted, otherwise to an empty folder.',
    ),
  ...shared,
});
export type StdioServerConfig = z.infer<typeof stdioServerSchema>;

const oauthSchema = z.strictObject({
  clientId: z
    .string()
    .min(1)
    .optional()
    .describe('ID of a client you registered. By default, a client is registered automatically.'),
  clientSecret: secretSchema.optional(),
  scope: z.string().min(1).optional().describe('Scope to request. Defaults to what the server names.'),
  callbackPort: z
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe('Local port for the login callback. Defaults to any free port.'),
});
export type OAuthSettings = z.infer<typeof oauthSchema>;

const remoteServerSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).describe('URL of the server, such as "https://example.com/mcp".'),
  transport: z
    .enum(['http', 'sse'])
    .optional()
    .describe('Streamable HTTP or the older SSE. By default, HTTP is tried first, then SSE.'),
  headers: z
    .record(z.string().min(1), secretSchema)
    .default({})
    .describe('Headers for this server. They are not sent anywhere else.'),
  oauth: z
    .union([z.literal(false), oauthSchema])
    .optional()
    .describe('How to log in, or false to never log in. Not needed for servers without a login.'),
  ...shared,
});
export type RemoteServerConfig = z.infer<typeof remoteServerSchema>;

const mcpServerSchema = z.union([stdioServerSchema, remoteServerSchema]);
export type McpServerConfig = z.infer<typeof mcpServerSchema>;

/** The part of the configuration that names MCP servers. */
export const mcpConfigShape = {
  mcp: z
    .record(z.string().min(1).max(64), mcpServerSchema)
    .default({})
    .describe('MCP servers by name. Their tools are called {name}_{tool}.'),
  mcp_timeout: milliseconds
    .default(60_000)
    .describe('Time limit for an MCP tool call, in milliseconds. Each progress report restarts it.'),
};

/** What `mcpConfigShape` reads. */
export type McpConfig = z.infer<z.ZodObject<typeof mcpConfigShape>>;
