import { secretSchema } from '@dragoman/server/base';
import { z } from 'zod';
import { budgetsSchema } from '../budgets/budget-config.ts';

/** The wire protocols a provider may speak. */
const upstreamKindSchema = z.enum([
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
  'ollama',
  'ai-sdk',
  'offline',
]);
export type UpstreamKind = z.infer<typeof upstreamKindSchema>;

const milliseconds = z.int().min(1).max(3_600_000);
const dollars = z.number().min(0);

const tokenPrices = {
  input: dollars.describe('US dollars for a million input tokens.'),
  output: dollars.describe('US dollars for a million output tokens.'),
  cacheRead: dollars.optional().describe('US dollars for a million input tokens read from a cache; else as input.'),
  cacheWrite: dollars.optional().describe('US dollars for a million input tokens written to a cache; else as input.'),
};

const priceSchema = z.strictObject({
  ...tokenPrices,
  tiers: z
    .array(z.strictObject({ above: z.int().min(1).describe('Tokens of the prompt.'), ...tokenPrices }))
    .optional()
    .describe('Other prices for a whole call whose prompt has more than so many tokens.'),
});

/** An account at a model service: what stands under a name of `providers`. */
export const providerSchema = z.strictObject({
  type: upstreamKindSchema.describe('The protocol it speaks. "openai-chat" fits most services and local servers.'),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where it is, as in "http://127.0.0.1:8000/v1"; each type knows its own service.'),
  apiKey: z
    .union([secretSchema, z.array(secretSchema).min(1)])
    .optional()
    .describe('Its key, or several that take turns. Best as "{env:NAME}" or "{secret:name}".'),
  models: z.array(z.string().min(1)).default(['*']).describe('The models it serves; "*" passes any name on.'),
  headers: z
    .record(z.string(), secretSchema)
    .default({})
    .describe('Headers to send along, such as "api-key" for Azure.'),
  query: z
    .record(z.string(), secretSchema)
    .default({})
    .describe('Query to send along, such as "api-version" for Azure.'),
  path: z
    .string()
    .startsWith('/')
    .optional()
    .describe(
      'Path of a call behind baseUrl, with {model} for the model: "/openai/deployments/{model}/chat/completions".',
    ),
  images: z.boolean().default(true).describe('Whether its models take images; false refuses them with a clear error.'),
  promptCaching: z
    .boolean()
    .optional()
    .describe(
      'Whether requests say what its prompt cache shall keep. Unset: marks for Claude, a key and marks for OpenAI itself; true sends those to other services that take the fields of OpenAI, too.',
    ),
  prices: z
    .record(z.string(), priceSchema)
    .default({})
    .describe(
      'Prices by model, or "*" for all, used where it does not tell the cost itself; else those that are built in.',
    ),
  limits: z
    .record(
      z.string(),
      z.strictObject({
        context: z.int().min(1).describe('Tokens it takes, prompt and answer together.'),
        output: z.int().min(1).optional().describe('Tokens it may write.'),
      }),
    )
    .default({})
    .describe('What its models can take, by model or "*", for models that are not known here.'),
  timeouts: z
    .strictObject({
      connectMs: milliseconds.default(10_000).describe('Until it accepts the connection.'),
      firstByteMs: milliseconds.default(120_000).describe('Until it begins to answer.'),
      idleMs: milliseconds.default(120_000).describe('Between two pieces of an answer.'),
    })
    .prefault({}),
  package: z
    .string()
    .optional()
    .describe('For "ai-sdk": the provider package, such as "@ai-sdk/mistral", installed beside Dragoman.'),
  options: z
    .record(z.string(), z.json())
    .default({})
    .describe('For "ai-sdk": options of its provider; for "ollama": options of the model, such as num_ctx.'),
});
export type ProviderConfig = z.infer<typeof providerSchema>;

export const TARGET_FORM = /^[^/]+\/.+$/;
const targetSchema = z.string().regex(TARGET_FORM, 'expected "provider/model"').describe('"provider/model"');

/** How a route chooses among its targets. */
const ROUTE_POLICIES = ['order', 'weight', 'fastest', 'cheapest'] as const;
export type RoutePolicy = (typeof ROUTE_POLICIES)[number];

const routeSchema = z.union([
  z.array(targetSchema).min(1),
  z.strictObject({
    targets: z.array(targetSchema).min(1).describe('Tried in the order of the policy.'),
    policy: z
      .enum(ROUTE_POLICIES)
      .optional()
      .describe(
        'Who is asked first: "order" (the default) as they are listed, "weight" by chance, "fastest" who began to answer soonest lately, "cheapest" by price.',
      ),
    weights: z
      .record(z.string(), z.number().min(0).max(1_000_000))
      .optional()
      .describe('For the policy "weight": how often each target is asked, 1 where none is given; 0 is asked last.'),
    sticky: z
      .boolean()
      .optional()
      .describe(
        'Whether a conversation stays at the target that answered it last, whose cache has its beginning; true by default.',
      ),
    temperature: z.number().min(0).max(2).optional().describe('Used where the client sends none.'),
    maxTokens: z.int().min(1).optional().describe('Used where the client sends none.'),
    redaction: z.boolean().optional().describe('Overrides redaction.enabled for this route.'),
  }),
]);

/** The gateway's sections of `dragoman.json`. */
export const gatewayConfigShape = {
  providers: z
    .record(z.string().regex(/^[^/\s]+$/, 'expected a name without "/" and without spaces'), providerSchema)
    .default({})
    .describe('Accounts at model services, by a name of your choice.'),
  routes: z
    .record(z.string().min(1), routeSchema)
    .default({})
    .describe(
      'Model names that clients may ask for, and the targets that serve them. "default" serves clients that name none; "*" any other name.',
    ),
  limits: z
    .strictObject({
      requests: z.int().min(1).default(100).describe('Model calls a client may make within the window.'),
      windowSeconds: z.int().min(1).default(60),
      concurrency: z.int().min(1).default(32).describe('Model calls a client may have running at once.'),
    })
    .prefault({})
    .describe('How much one client may ask for.'),
  budgets: budgetsSchema,
  redaction: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe(
          'Takes keys and tokens out of prompts before they leave, and values of fields named like password in tool results.',
        ),
    })
    .prefault({}),
  responses: z
    .strictObject({
      keepDays: z
        .int()
        .min(1)
        .max(365)
        .optional()
        .describe(
          "Keeps responses of OpenAI's Responses API with what was sent for them, without secrets, for so many days after their last use, so that clients can go on from them (previous_response_id). Nothing is kept where it is not set.",
        ),
    })
    .prefault({})
    .describe("For clients that speak OpenAI's Responses."),
  augment: z
    .strictObject({
      systemPromptBase: z
        .string()
        .default(
          "You are a careful coding assistant working in the user's repository. Use the tools you are given, and answer briefly.",
        )
        .describe('The system prompt for Augment clients begins with this; they send none themselves.'),
      baseUrl: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe('The official service, for hybrid mode.'),
      token: secretSchema
        .optional()
        .describe('Its token. With it, context endpoints are passed on to the official service.'),
    })
    .prefault({})
    .describe('For clients that speak the Augment protocol.'),
};

const gatewayConfigSchema = z.strictObject(gatewayConfigShape);
export type GatewayConfig = z.infer<typeof gatewayConfigSchema>;
