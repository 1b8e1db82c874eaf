import { secretSchema } from '@dragoman/server/base';
import { z } from 'zod';

const address = z.url({ protocol: /^https?$/ });
const apiKey = secretSchema.describe('Its key. Best as "{env:NAME}" or "{secret:name}".');
const otherAddress = address.optional().describe('Where it is, if not at its usual address.');

/** Which engine the agent's `web-search` uses; part of `dragoman.json`. */
export const webSearchConfigSchema = z.discriminatedUnion('engine', [
  z.strictObject({
    engine: z.literal('searxng'),
    baseUrl: address.describe('A SearXNG server whose settings allow the format "json".'),
  }),
  z.strictObject({ engine: z.literal('brave'), apiKey, baseUrl: otherAddress }),
  z.strictObject({ engine: z.literal('tavily'), apiKey, baseUrl: otherAddress }),
  z.strictObject({ engine: z.literal('exa'), apiKey, baseUrl: otherAddress }),
]);
/** The engine and what it needs. */
export type WebSearchConfig = z.infer<typeof webSearchConfigSchema>;
