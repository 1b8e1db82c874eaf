import { secretSchema } from '@dragoman/server/base';
import { z } from 'zod';

const milliseconds = z.int().min(1).max(3_600_000);

const shared = {
  timeout: milliseconds.optional().describe('How long one of its calls may take, in milliseconds; else mcp_timeout.'),
  enabled: z.boolean().default(true).describe('false leaves it alone without forgetting it.'),
};

const stdioServerSchema = z.strictObject({
  command: z.array(z.string().min(1)).min(1).describe('The program and its arguments: ["npx", "-y", "some-server"].'),
  env: z
    .record(z.string().min(1), z.union([z.literal(''), secretSchema]))
    .default({})
    .describe('Variables it is given beside PATH, HOME and the like. Best as "{env:NAME}" or "{secret:name}".'),
  cwd: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The folder it starts in, from the project on; else a trusted project itself, and an empty folder for any other.',
    ),
  ...shared,
});
export type StdioServerConfig = z.infer<typeof stdioServerSchema>;

const oauthSchema = z.strictObject({
  clientId: z.string().min(1).optional().describe('A client registered by hand; else one is registered on the way.'),
  clientSecret: secretSchema.optional(),
  scope: z.string().min(1).optional().describe('What to ask for; else what the server names.'),
  callbackPort: z
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe('Where the login comes back to on this machine; else any free port.'),
});
export type OAuthSettings = z.infer<typeof oauthSchema>;

const remoteServerSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).describe('Where it is, as in "https://example.com/mcp".'),
  transport: z
    .enum(['http', 'sse'])
    .optional()
    .describe('Streamable HTTP or the older SSE; else the first, and the second where the first is refused.'),
  headers: z
    .record(z.string().min(1), secretSchema)
    .default({})
    .describe('Headers for the server itself; nobody else is sent them.'),
  oauth: z
    .union([z.literal(false), oauthSchema])
    .optional()
    .describe('How to log in; false never does. A server that asks for no login needs nothing here.'),
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
    .describe('How long a call of an MCP tool may take, in milliseconds; progress it reports starts the time anew.'),
};

/** What `mcpConfigShape` reads. */
export type McpConfig = z.infer<z.ZodObject<typeof mcpConfigShape>>;
