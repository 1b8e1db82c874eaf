import { z } from 'zod';

/** What one or several model calls read and wrote. `input` is without the cache, so that nothing is counted twice. */
export const tokensSchema = z.object({
  input: z.number(),
  output: z.number().describe('Without reasoning.'),
  reasoning: z.number(),
  cache: z.object({ read: z.number(), write: z.number() }),
});
export type Tokens = z.infer<typeof tokensSchema>;
