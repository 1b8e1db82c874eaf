import { secretSchema } from '@dragoman/server/base';
import { z } from 'zod';

const address = z.url({ protocol: /^https?$/ });
const apiKey = secretSchema.describe('API key, preferably as "{env:NAME}" or "{secret:name}".');
const otherAddress = address.optional().describe('URL, if not the default one.');

/** Which engine the agent's `web-search` uses; part of `dragoman.json`. */
export const webSearchConfigSchema = z.discriminatedUnion('engine', [
  z.strictObject({
    engine: z.literal('searxng'),
    baseUrl: address.describe('URL of a SearXNG server that allows the "json" format.'),
  }),
  z.strictObject({ engine: z.literal('brave'), apiKey, baseUrl: otherAddress }),
  z.strictObject({ engine: z.literal('tavily'), apiKey, baseUrl: otherAddress }),
  z.strictObject({ engine: z.literal('exa'), apiKey, baseUrl: otherAddress }),
]);
/** The engine and what it needs. */
export type WebSearchConfig = z.infer<typeof webSearchConfigSchema>;
