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
        .describe('Address to listen on. Anything but a loopback address needs a token to exist.'),
      port: z.int().min(0).max(65_535).default(4747).describe('Port to listen on; 0 picks a free one.'),
      publicUrl: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe(
          'The address people use when it is not a loopback one, such as "https://dragoman.example.com". Requests for other host names are refused.',
        ),
      corsOrigins: z
        .array(z.url({ protocol: /^https?$/ }))
        .default([])
        .describe('Web origins whose pages may call the API with a token. None by default.'),
      bodyLimits: z
        .strictObject({
          apiBytes: z
            .int()
            .min(1024)
            .default(10 * MIB)
            .describe('Largest body of an API call, unpacked.'),
          uploadBytes: z
            .int()
            .min(1024)
            .default(20 * MIB)
            .describe(
              'Largest body of an upload or of a chat with images, unpacked. Larger ones hold everybody up for longer while they are read.',
            ),
        })
        .prefault({}),
      timeouts: z
        .strictObject({
          headersMs: milliseconds
            .default(10_000)
            .describe('A connection that has not sent its request headers by then is closed.'),
          requestMs: milliseconds.default(300_000).describe('A request that has not arrived whole by then is refused.'),
          keepAliveMs: milliseconds.default(75_000).describe('A connection that is idle for this long is closed.'),
          stopMs: milliseconds
            .default(10_000)
            .describe('How long running answers may take to finish when the server stops.'),
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
        .describe('How much is logged.'),
      format: z
        .enum(['auto', 'pretty', 'json'])
        .default('auto')
        .describe('"auto" is pretty on a terminal and JSON otherwise.'),
    })
    .prefault({})
    .describe('What is written to the log. Secrets and prompt texts never are.'),
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
