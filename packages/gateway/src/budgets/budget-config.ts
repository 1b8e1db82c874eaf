import { z } from 'zod';

/** How long a budget lasts. */
const budgetPeriodSchema = z.enum(['hour', 'day', 'week', 'month']);
export type BudgetPeriod = z.infer<typeof budgetPeriodSchema>;

const name = z.string().min(1).max(200);

const budgetSchema = z
  .strictObject({
    for: z
      .strictObject({
        token: name.optional().describe('Name or ID of a token, or the name of an agent for its own requests.'),
        user: name.optional().describe('Name of a user.'),
        role: z.enum(['admin', 'member', 'viewer', 'models']).optional().describe('Role of the token.'),
        route: name
          .optional()
          .describe(
            'A route, or a model with or without its provider ("openai/gpt-5", "gpt-5"), whatever name the client used for it.',
          ),
      })
      .optional()
      .describe('Which requests count: those that match everything here. Without it, all requests count.'),
    each: z
      .enum(['user', 'token'])
      .optional()
      .describe('Apply the limit to each user or each token separately. Otherwise they share it.'),
    per: budgetPeriodSchema.describe('Calendar period in UTC. Weeks start on Monday.'),
    requests: z.int().min(1).optional().describe('Requests.'),
    tokens: z.int().min(1).optional().describe('Tokens of prompts and answers combined.'),
    dollars: z.number().min(0.000_001).max(1_000_000_000).optional().describe('US dollars.'),
    unpriced: z
      .enum(['allow', 'refuse'])
      .default('allow')
      .describe('With dollars: whether to allow models without a known price. Their cost is not counted.'),
  })
  .refine(({ requests, tokens, dollars }) => requests !== undefined || tokens !== undefined || dollars !== undefined, {
    error: 'expected at least one of requests, tokens and dollars',
  });
export type BudgetConfig = z.infer<typeof budgetSchema>;

/** Every call looks at all of them. */
const MOST_BUDGETS = 100;

export const budgetsSchema = z
  .array(budgetSchema)
  .max(MOST_BUDGETS)
  .default([])
  .describe('Limits on model usage per hour, day, week or month. Requests over a limit are refused.');
