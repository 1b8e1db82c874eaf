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
  input: dollars.describe('US dollars per million input tokens.'),
  output: dollars.describe('US dollars per million output tokens.'),
  cacheRead: dollars.optional().describe('US dollars per million input tokens read from the cache. Defaults to input.'),
  cacheWrite: dollars
    .optional()
    .describe('US dollars per million input tokens written to the cache. Defaults to input.'),
};

const priceSchema = z.strictObject({
  ...tokenPrices,
  tiers: z
    .array(z.strictObject({ above: z.int().min(1).describe('Prompt tokens.'), ...tokenPrices }))
    .optional()
    .describe('Prices for the whole request when the prompt has more than this many tokens.'),
});

/** An account at a model service: what stands under a name of `providers`. */
export const providerSchema = z.strictObject({
  type: upstreamKindSchema.describe(
    'API protocol of the provider. "openai-chat" works for most services and local servers.',
  ),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Base URL, such as "http://127.0.0.1:8000/v1". Defaults to the official service of the type.'),
  apiKey: z
    .union([secretSchema, z.array(secretSchema).min(1)])
    .optional()
    .describe('API key, or several keys used in rotation. Preferably "{env:NAME}" or "{secret:name}".'),
  models: z.array(z.string().min(1)).default(['*']).describe('Models it serves. "*" accepts any name.'),
  headers: z
    .record(z.string(), secretSchema)
    .default({})
    .describe('Extra headers to send, such as "api-key" for Azure.'),
  query: z
    .record(z.string(), secretSchema)
    .default({})
    .describe('Extra query parameters to send, such as "api-version" for Azure.'),
  path: z
    .string()
    .startsWith('/')
    .optional()
    .describe('Path after baseUrl, with {model} as a placeholder: "/openai/deployments/{model}/chat/completions".'),
  images: z
    .boolean()
    .default(true)
    .describe('Whether its models accept images. If false, requests with images are refused with a clear error.'),
  promptCaching: z
    .boolean()
    .optional()
    .describe(
      'Whether requests carry hints for the prompt cache of the provider. By default, Claude gets cache marks, and OpenAI a cache key and marks. If true, other OpenAI-compatible services get them too.',
    ),
  prices: z
    .record(z.string(), priceSchema)
    .default({})
    .describe(
      'Prices by model, or "*" for all. Used when the provider does not report the cost. Defaults to the built-in prices.',
    ),
  limits: z
    .record(
      z.string(),
      z.strictObject({
        context: z.int().min(1).describe('Maximum tokens of prompt and answer together.'),
        output: z.int().min(1).optional().describe('Maximum tokens of an answer.'),
      }),
    )
    .default({})
    .describe('Limits by model, or "*" for all, for models Dragoman does not know.'),
  timeouts: z
    .strictObject({
      connectMs: milliseconds.default(10_000).describe('Time limit for connecting.'),
      firstByteMs: milliseconds.default(120_000).describe('Time limit until the answer starts.'),
      idleMs: milliseconds.default(120_000).describe('Time limit between two pieces of an answer.'),
    })
    .prefault({}),
  package: z
    .string()
    .optional()
    .describe('For "ai-sdk": the provider package, such as "@ai-sdk/mistral". Install it next to Dragoman.'),
  options: z
    .record(z.string(), z.json())
    .default({})
    .describe('For "ai-sdk": options of the provider package. For "ollama": model options, such as num_ctx.'),
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
    targets: z.array(targetSchema).min(1).describe('Targets to try, in the order of the policy.'),
    policy: z
      .enum(ROUTE_POLICIES)
      .optional()
      .describe(
        'Which target to use first: "order" (default) as listed, "weight" at random by weight, "fastest" by recent response time, "cheapest" by price.',
      ),
    weights: z
      .record(z.string(), z.number().min(0).max(1_000_000))
      .optional()
      .describe(
        'For the policy "weight": how often to use each target. The default is 1; targets with 0 are used last.',
      ),
    sticky: z
      .boolean()
      .optional()
      .describe(
        'Whether a conversation stays with the target that answered last, to make use of its cache. True by default.',
      ),
    temperature: z.number().min(0).max(2).optional().describe('Used when the client sends none.'),
    maxTokens: z.int().min(1).optional().describe('Used when the client sends none.'),
    redaction: z.boolean().optional().describe('Overrides redaction.enabled for this route.'),
  }),
]);

/** The gateway's sections of `dragoman.json`. */
export const gatewayConfigShape = {
  providers: z
    .record(z.string().regex(/^[^/\s]+$/, 'expected a name without "/" and without spaces'), providerSchema)
    .default({})
    .describe('Your accounts with model services, each under a name you choose.'),
  routes: z
    .record(z.string().min(1), routeSchema)
    .default({})
    .describe(
      'Model names for clients, and the targets that serve them. "default" is used when a client names no model, "*" for any other name.',
    ),
  limits: z
    .strictObject({
      requests: z.int().min(1).default(100).describe('Model requests a client can make within the window.'),
      windowSeconds: z.int().min(1).default(60),
      concurrency: z.int().min(1).default(32).describe('Model requests a client can have running at once.'),
    })
    .prefault({})
    .describe('Rate limits for each client.'),
  budgets: budgetsSchema,
  redaction: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe(
          'Remove keys and tokens from prompts before they are sent, and values of fields such as "password" from tool results.',
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
          'Store responses of the OpenAI Responses API and their inputs, without secrets, so that clients can continue from them (previous_response_id). They are deleted after this many days without use. If not set, nothing is stored.',
        ),
    })
    .prefault({})
    .describe('For clients of the OpenAI Responses API.'),
  augment: z
    .strictObject({
      systemPromptBase: z
        .string()
        .default(
          "You are a careful coding assistant working in the user's repository. Use the tools you are given, and answer briefly.",
        )
        .describe('Start of the system prompt for Augment clients, which send none themselves.'),
      baseUrl: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe('URL of the official service, for hybrid mode.'),
      token: secretSchema
        .optional()
        .describe('Token for the official service. If set, context requests are forwarded there.'),
    })
    .prefault({})
    .describe('For Augment clients.'),
};

const gatewayConfigSchema = z.strictObject(gatewayConfigShape);
export type GatewayConfig = z.infer<typeof gatewayConfigSchema>;
