import { z } from 'zod';

/** What the configuration of an agent of kind `chat` may say beside what every agent has. */
export const chatConfigShape = {
  route: z
    .string()
    .min(1)
    .optional()
    .describe('The route or "provider/model" that answers; the default route when absent. "model" says the same.'),
  system: z.string().min(1).optional().describe('What the model is told before the conversation.'),
};

/** How a chat agent is set up. */
export type ChatConfig = z.infer<z.ZodObject<typeof chatConfigShape>>;
