import { z } from 'zod';

/** One thing to do, on the agent's list. */
export const todoSchema = z.object({
  content: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
  priority: z.enum(['high', 'medium', 'low']).optional(),
});
export type Todo = z.infer<typeof todoSchema>;
