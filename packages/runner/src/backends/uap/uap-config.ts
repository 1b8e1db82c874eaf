import { z } from 'zod';

const flag = z.boolean().optional();

/** What the configuration of an agent of kind `uap` may say beside what every agent has. */
export const uapConfigShape = {
  capabilities: z
    .strictObject({
      resume: flag,
      fork: flag,
      steer: flag,
      approvals: flag,
      images: flag,
      files: flag,
      models: flag,
      modes: flag,
    })
    .optional()
    .describe('What the agent can do, as far as it has to be known before it runs. What it says itself counts then.'),
  startSeconds: z
    .number()
    .positive()
    .max(3600)
    .optional()
    .describe('How long it may take to be ready; 60 when absent.'),
  turnMinutes: z.number().positive().max(10_080).optional().describe('How long a turn may take; a day when absent.'),
};

/** The same as one strict object. */
export const uapConfigSchema = z.strictObject(uapConfigShape);

/** How a UAP agent is set up. */
export type UapConfig = z.infer<typeof uapConfigSchema>;
