import { z } from 'zod';
import type { ApiCall } from '../api/api-call.ts';
import { faultSchema } from '../uap/backend-event.ts';
import type { GATEWAY_ROUTES } from './gateway-routes.ts';

/** A provider that is being set up: what `providers.NAME` of the configuration will say, and its key in the clear. */
export const providerDraftSchema = z.strictObject({
  type: z.string().min(1),
  baseUrl: z.string().optional(),
  apiKey: z.string().max(10_000).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  query: z.record(z.string(), z.string()).optional(),
  path: z.string().optional(),
});
export type ProviderDraft = z.infer<typeof providerDraftSchema>;

/** A provider in force. */
export const providerInfoSchema = z.object({
  name: z.string(),
  type: z.string(),
  baseUrl: z.string().optional(),
  models: z.array(z.string()),
  keys: z.number().describe('How many keys take turns.'),
  isBuiltIn: z.boolean().describe('The offline model, which is always there.'),
  lastError: z.object({ at: z.number(), code: z.string() }).optional(),
  lastSuccessAt: z.number().optional(),
});
export type ProviderInfo = z.infer<typeof providerInfoSchema>;

/** A route in force. */
export const routeInfoSchema = z.object({
  name: z.string(),
  targets: z.array(z.string()),
  policy: z.enum(['order', 'weight', 'fastest', 'cheapest']).optional().describe('Absent for "order".'),
  weights: z.record(z.string(), z.number()).optional(),
  sticky: z.boolean().optional(),
  temperature: z.number().optional(),
  maxTokens: z.number().optional(),
  redaction: z.boolean().optional(),
});
export type RouteInfo = z.infer<typeof routeInfoSchema>;

/** A target that is passed over after a failure. */
const restInfoSchema = z.object({
  name: z.string().describe('"provider/model", or a provider where nobody can be reached.'),
  code: z.string().describe('What went wrong, as in the log of requests.'),
  since: z.number(),
  until: z.number().describe('From then on the next call tries it again.'),
  isAsked: z.boolean().describe('Whether the provider asked for it.'),
  failures: z.number().describe('How often it failed without an answer in between.'),
});
export type RestInfo = z.infer<typeof restInfoSchema>;

/** Why a target did not answer a call, or why the gateway turned it away. */
export const callFailureSchema = z.object({
  target: z.string().describe('Empty where the gateway itself turned the call away.'),
  code: z.string(),
  status: z.number().optional().describe('Of the HTTP answer; absent where there was none.'),
  message: z.string().describe('What the provider or the gateway said, without secrets.'),
  ms: z.number(),
});
export type CallFailure = z.infer<typeof callFailureSchema>;

/** A model call that ended, as the log of requests shows it: who, where, how much, how long; never what was said. */
export const requestInfoSchema = z.object({
  id: z.string(),
  at: z.number(),
  userName: z.string(),
  tokenName: z.string(),
  dialect: z.string(),
  route: z.string(),
  target: z.string().describe('Empty when no target took it.'),
  isStreamed: z.boolean(),
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  costDollars: z.number().optional(),
  firstEventMs: z.number().optional(),
  totalMs: z.number(),
  finishReason: z.string(),
  errorCode: z.string().optional(),
  attempts: z.number(),
  redactions: z.number(),
  repairs: z.number(),
  failures: z
    .array(callFailureSchema)
    .optional()
    .describe('Why targets did not answer, in the order in which they were asked, or why none was asked.'),
});
export type RequestInfo = z.infer<typeof requestInfoSchema>;

const latencySchema = z
  .object({ median: z.number(), p95: z.number() })
  .describe('In milliseconds, to about one in a hundred.');

/** Usage of an hour, a day, a model, a route or a token. */
export const usageRowSchema = z.object({
  key: z.string(),
  calls: z.number(),
  errors: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number().optional(),
  cacheShare: z
    .number()
    .optional()
    .describe('How much of the input was read from a prompt cache, from 0 to 1; absent where there was no input.'),
  costDollars: z
    .number()
    .nullable()
    .describe('What is known of the cost; null where nothing is. The cost of unpricedCalls is not in it.'),
  unpricedCalls: z.number().describe('Calls whose cost nobody knows, so that all together cost more than costDollars.'),
  redactions: z.number(),
  repairs: z.number(),
  firstEventMs: latencySchema
    .optional()
    .describe('Until the first token, of calls that were streamed and did not fail.'),
  totalMs: latencySchema.optional().describe('Until the end, of calls that did not fail.'),
});
export type UsageRow = z.infer<typeof usageRowSchema>;

/** A budget, or one share of it, in the period that runs. */
const budgetInfoSchema = z.object({
  scope: z
    .object({
      token: z.string().optional(),
      user: z.string().optional(),
      role: z.string().optional(),
      route: z.string().optional(),
    })
    .describe('Whose calls count, as it is configured; empty where it is everybody’s.'),
  each: z.enum(['user', 'token']).optional().describe('Every user or token has this much for itself.'),
  share: z
    .string()
    .optional()
    .describe('Whose share this is, where each has one; absent where nobody has spent anything of it.'),
  per: z.enum(['hour', 'day', 'week', 'month']),
  startsAt: z.number(),
  resetsAt: z.number().describe('When it begins again.'),
  amounts: z
    .array(z.object({ unit: z.enum(['requests', 'tokens', 'dollars']), spent: z.number(), limit: z.number() }))
    .describe('One for each limit.'),
  unknownCalls: z.number().describe('Calls whose tokens or cost nobody knows, so that they are not in the amounts.'),
  isWarned: z.boolean().describe('Whether so much is spent that clients are told, which begins at 80 %.'),
  isSpent: z.boolean().describe('Whether calls are refused.'),
});
export type BudgetInfo = z.infer<typeof budgetInfoSchema>;

const timeZoneSchema = z
  .string()
  .max(64)
  .refine(isTimeZone, 'expected the name of a time zone, such as Europe/Berlin or UTC');

/** Names only: an offset such as +02:00 knows nothing of the days on which clocks change. */
function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const draftOrName = {
  provider: z.union([z.string(), providerDraftSchema]),
};

/** The shapes of every call, under the names of `GATEWAY_ROUTES`. */
export const GATEWAY_CALLS = {
  readGateway: {
    answer: z.object({
      providers: z.array(providerInfoSchema),
      routes: z.array(routeInfoSchema),
      resting: z
        .array(restInfoSchema)
        .optional()
        .describe('Targets that are passed over; absent where there are none.'),
      models: z.array(z.string()).describe('Every name a client may ask for.'),
      kinds: z
        .array(z.object({ type: z.string(), baseUrl: z.string().optional(), needsKey: z.boolean() }))
        .describe('The protocols a provider may speak, with the address each knows by itself.'),
      counters: z.object({
        since: z.number(),
        servers: z.number().optional().describe('How many servers counted this; absent where one is alone.'),
        calls: z.number(),
        failed: z.number(),
        limited: z.number().describe('Refused because a client asked too often.'),
        refused: z.number().describe('Refused by a rule: an unknown model, an image where none is taken.'),
        blocked: z.number().describe('Telemetry of clients that was answered here and went nowhere.'),
        redactions: z.number(),
        repairs: z.number(),
      }),
    }),
  },
  testModel: {
    body: z.strictObject({
      model: z.string().min(1).describe('A route or provider/model; with a provider, a model of it.'),
      provider: draftOrName.provider.optional(),
    }),
    answer: z.object({
      isWell: z.boolean(),
      text: z.string().describe('The beginning of its answer.'),
      target: z.string(),
      firstMs: z.number().optional(),
      totalMs: z.number(),
      inputTokens: z.number().optional(),
      outputTokens: z.number().optional(),
      problem: faultSchema.optional(),
    }),
  },
  listProviderModels: {
    body: z.strictObject(draftOrName),
    answer: z.object({ models: z.array(z.string()), problem: faultSchema.optional() }),
  },
  readUsage: {
    query: z.object({
      by: z.enum(['hour', 'day', 'model', 'route', 'token']).optional().describe('"day" unless given.'),
      days: z.coerce
        .number()
        .int()
        .min(1)
        .max(366)
        .optional()
        .describe('Today and the days before it; 1 is the last 24 hours. 30 unless given; by hour at most 31.'),
      timeZone: timeZoneSchema
        .optional()
        .describe('Whose hours and days they are, by its IANA name. UTC unless given.'),
    }),
    answer: z.object({
      by: z.string(),
      days: z.number(),
      timeZone: z.string(),
      rows: z
        .array(usageRowSchema)
        .describe(
          'The key of a day is 2026-03-29, that of an hour 2026-03-29T03:00+02:00. Without a call there is no row.',
        ),
      total: usageRowSchema.describe('All of it together.'),
      times: z
        .array(z.object({ key: z.string(), startsAt: z.number() }))
        .optional()
        .describe('Every hour or day of the time, the oldest first; absent by model, route or token.'),
      firstAt: z.number().optional().describe('When the first call was made that is still known.'),
      unpricedModels: z
        .array(z.string())
        .optional()
        .describe('By model: those with calls of unknown cost whose price nobody knows now, the most used first.'),
    }),
  },
  readBudgets: {
    answer: z.object({
      budgets: z
        .array(budgetInfoSchema)
        .describe('In the order of the settings; of each at most 50 shares, those that spent most.'),
    }),
  },
  listRequests: {
    query: z.object({ limit: z.coerce.number().int().min(1).max(500).optional() }),
    answer: z.object({ requests: z.array(requestInfoSchema) }),
  },
  readRequests: {},
} as const satisfies Record<keyof typeof GATEWAY_ROUTES, ApiCall>;
