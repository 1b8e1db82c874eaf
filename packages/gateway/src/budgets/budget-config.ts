import { z } from 'zod';

/** How long a budget lasts. */
const budgetPeriodSchema = z.enum(['hour', 'day', 'week', 'month']);
export type BudgetPeriod = z.infer<typeof budgetPeriodSchema>;

const name = z.string().min(1).max(200);

const budgetSchema = z
  .strictObject({
    for: z
      .strictObject({
        token: name.optional().describe('The name or id of a token; the name of an agent for its own calls.'),
        user: name.optional().describe('The name of a user.'),
        role: z.enum(['admin', 'member', 'viewer', 'models']).optional().describe('What the token may do.'),
        route: name
          .optional()
          .describe(
            'A route, or a model with its provider or without ("openai/gpt-5", "gpt-5"), by whatever name it is asked for.',
          ),
      })
      .optional()
      .describe('Whose calls count: those that all of this is true of; all calls where it is absent.'),
    each: z
      .enum(['user', 'token'])
      .optional()
      .describe('Every user, or every token, has this much for itself; else they share it.'),
    per: budgetPeriodSchema.describe('By the calendar in UTC; a week begins on Monday.'),
    requests: z.int().min(1).optional().describe('Calls.'),
    tokens: z.int().min(1).optional().describe('Tokens of prompts and answers together.'),
    dollars: z.number().min(0.000_001).max(1_000_000_000).optional().describe('US dollars.'),
    unpriced: z
      .enum(['allow', 'refuse'])
      .default('allow')
      .describe('For dollars: whether models may be asked whose price is not known; what they cost is not counted.'),
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
  .describe('How much may be asked of models in an hour, a day, a week or a month. Calls beyond it are refused.');
