import { z } from 'zod';
import { telemetrySchema } from '../trace/trace-settings.ts';

const MIB = 1024 * 1024;
const milliseconds = z.int().min(1).max(3_600_000);

/** The server's own sections of `dragoman.json`. Every default and every description is here and nowhere else. */
export const serverConfigShape = {
  server: z
    .strictObject({
      host: z
        .string()
        .min(1)
        .default('127.0.0.1')
        .describe('Address to listen on. Any address other than a loopback one requires at least one token.'),
      port: z.int().min(0).max(65_535).default(4747).describe('Port to listen on; 0 picks a free one.'),
      publicUrl: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe(
          'Public URL of this server, such as "https://dragoman.example.com". Requests for other host names are refused.',
        ),
      corsOrigins: z
        .array(z.url({ protocol: /^https?$/ }))
        .default([])
        .describe('Web origins whose pages can call the API with a token. None by default.'),
      bodyLimits: z
        .strictObject({
          apiBytes: z
            .int()
            .min(1024)
            .default(10 * MIB)
            .describe('Maximum size of an API request body, uncompressed.'),
          uploadBytes: z
            .int()
            .min(1024)
            .default(20 * MIB)
            .describe(
              'Maximum size of an upload or of a chat with images, uncompressed. While a large body is read, other requests wait.',
            ),
        })
        .prefault({}),
      timeouts: z
        .strictObject({
          headersMs: milliseconds
            .default(10_000)
            .describe('Close a connection that has not sent its request headers within this time.'),
          requestMs: milliseconds
            .default(300_000)
            .describe('Refuse a request that has not arrived completely within this time.'),
          keepAliveMs: milliseconds.default(75_000).describe('Close a connection that has been idle for this long.'),
          stopMs: milliseconds.default(10_000).describe('How long to wait for running answers when the server stops.'),
        })
        .prefault({}),
    })
    .prefault({})
    .describe('Where the server listens and what it accepts.'),
  log: z
    .strictObject({
      level: z
        .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
        .default('info')
        .describe('How much to log.'),
      format: z
        .enum(['auto', 'pretty', 'json'])
        .default('auto')
        .describe('"auto" is readable text on a terminal and JSON otherwise.'),
    })
    .prefault({})
    .describe('Logging. Secrets and prompts are never logged.'),
  telemetry: telemetrySchema,
};

/** The whole configuration: the sections of the server and of each room, and nothing else. */
export function configSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({
    $schema: z.string().optional().describe('Lets an editor complete and check this file.'),
    ...shape,
  });
}

export const serverConfigSchema = configSchema(serverConfigShape);
export type ServerConfig = z.infer<typeof serverConfigSchema>;

/** The JSON Schema that is published as `dragoman.schema.json`. */
export function configSchemaDocument(schema: z.ZodType): Record<string, unknown> {
  return { title: 'Dragoman configuration', allowTrailingCommas: true, ...z.toJSONSchema(schema, { io: 'input' }) };
}
