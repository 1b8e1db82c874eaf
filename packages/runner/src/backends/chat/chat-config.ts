import { z } from 'zod';

/** What the configuration of an agent of kind `chat` may say beside what every agent has. */
export const chatConfigShape = {
  route: z
    .string()
    .min(1)
    .optional()
    .describe('Route or "provider/model" to use. Defaults to the default route. Same as "model".'),
  system: z.string().min(1).optional().describe('System prompt.'),
};

/** How a chat agent is set up. */
export type ChatConfig = z.infer<z.ZodObject<typeof chatConfigShape>>;
