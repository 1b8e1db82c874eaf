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
    .describe(
      'What the agent can do, as far as it must be known before it runs. Once it runs, what it reports applies.',
    ),
  startSeconds: z.number().positive().max(3600).optional().describe('Time limit for starting. The default is 60.'),
  turnMinutes: z.number().positive().max(10_080).optional().describe('Time limit for a turn. The default is one day.'),
};

/** A UAP agent is nothing but its program. */
export const uapNeedsCommand = (): boolean => true;

/** The same as one strict object. */
export const uapConfigSchema = z.strictObject(uapConfigShape);

/** How a UAP agent is set up. */
export type UapConfig = z.infer<typeof uapConfigSchema>;
