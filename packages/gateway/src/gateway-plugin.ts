import type { Model } from '@dragoman/protocol';
import type { Caller, Metrics, Store } from '@dragoman/server';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import type { GatewayConfig } from './config/gateway-config.ts';
import { anthropicMessagesRoutes } from './dialects/anthropic-messages/routes.ts';
import { augmentRoutes } from './dialects/augment/routes.ts';
import { embeddingRoutes } from './dialects/embedding-routes.ts';
import { missingRoutes } from './dialects/missing-routes.ts';
import { modelRoutes } from './dialects/model-routes.ts';
import { GEMINI_VERSIONS, geminiRoutes, sharedGeminiRoutes } from './dialects/gemini/routes.ts';
import { ollamaRoutes } from './dialects/ollama/routes.ts';
import { openAiChatRoutes } from './dialects/openai-chat/routes.ts';
import { openAiCompletionsRoutes } from './dialects/openai-completions/routes.ts';
import { KeptResponses, LOOK_AGAIN_MS } from './dialects/openai-responses/kept-responses.ts';
import type { KeptTables } from './dialects/openai-responses/kept-tables.ts';
import { openAiResponsesRoutes } from './dialects/openai-responses/routes.ts';
import { transcriptionRoutes } from './dialects/transcription-routes.ts';
import type { ContextHandlers, Gateway } from './gateway.ts';
import { manageRoutes } from './manage/manage-routes.ts';
import { type CallBook, openCallBook } from './metering/call-book.ts';
import { countersOf } from './metering/call-counters.ts';
import { CallMetrics } from './metering/call-metrics.ts';
import { ClientReports } from './metering/client-reports.ts';
import { GatewayMetrics } from './metering/gateway-metrics.ts';
import { SharedCalls } from './metering/shared-calls.ts';
import type { UsageTables } from './metering/usage-tables.ts';
import { ConcurrencyLimit } from './policy/concurrency-limit.ts';
import { limitModelCalls } from './policy/limit-model-calls.ts';
import { RequestWindow } from './policy/request-window.ts';
import { SharedLimits } from './policy/shared-limits.ts';
import { SharedTargets } from './routing/shared-targets.ts';
import { UpstreamRegistry } from './upstreams/upstream-registry.ts';

export interface GatewayOptions {
  /** The configuration in force. */
  config: () => GatewayConfig;
  /** Where usage is kept; without one it is not. */
  store?: Store;
  /** Where calls are noted, when others note theirs there too; one of its own when not given. */
  book?: CallBook;
  metrics?: Pick<Metrics, 'registry' | 'adminRegistry'>;
  /** The context engine's answers, where there is one. */
  context?: ContextHandlers;
  /** The largest file it takes; 1 MiB when not given. */
  maxBlobBytes?: () => number;
  /** Answers every model call instead of the configured providers: another gateway, for instance. */
  model?: Model;
}

/**
 * The gateway as one Fastify plugin: every dialect at the root and under `/gateway`, so that clients which are given
 * either address find it. It can be mounted in any application; where requests carry no caller, that application
 * answers for who may come in.
 */
export async function gatewayPlugin(door: FastifyInstance, options: GatewayOptions): Promise<void> {
  const gateway = openGateway(door, options);
  for (const prefix of ['', '/gateway']) {
    await door.register(async (scope) => augmentRoutes(scope, gateway), { prefix });
    await door.register(async (scope) => embeddingRoutes(scope, gateway), { prefix });
    await door.register(async (scope) => ollamaRoutes(scope, gateway), { prefix });
    for (const routes of [
      openAiChatRoutes,
      openAiCompletionsRoutes,
      openAiResponsesRoutes,
      anthropicMessagesRoutes,
      embeddingRoutes,
      modelRoutes,
      missingRoutes,
      transcriptionRoutes,
    ]) {
      await door.register(async (scope) => routes(scope, gateway), { prefix: `${prefix}/v1` });
    }
    await door.register(async (scope) => sharedGeminiRoutes(scope, gateway), { prefix: `${prefix}/v1` });
    for (const version of GEMINI_VERSIONS)
      await door.register(async (scope) => geminiRoutes(scope, gateway), { prefix: prefix + version });
  }
  if (options.store !== undefined) manageRoutes(door, gateway, options.store);
}

/** The Augment endpoints alone, for an application that has a gateway of its own: `model` is the way to it. */
export async function augmentPlugin(door: FastifyInstance, options: GatewayOptions & { model: Model }): Promise<void> {
  augmentRoutes(door, openGateway(door, options));
}

function openGateway(door: FastifyInstance, options: GatewayOptions): Gateway {
  const limits = () => options.config().limits;
  const tables = options.store?.tables<UsageTables>();
  const onStoreError = (err: unknown) => door.log.error({ err }, 'a report could not be stored');
  const book =
    options.book ?? openCallBook({ store: options.store, budgetConfig: () => options.config().budgets, log: door.log });
  const { metrics = { registry: new Registry(), adminRegistry: new Registry() } } = options;
  new CallMetrics(metrics, book.calls);
  const window = new RequestWindow({
    get requests() {
      return limits().requests;
    },
    get windowMs() {
      return limits().windowSeconds * 1000;
    },
  });
  const concurrency = new ConcurrencyLimit(() => limits().concurrency);
  const upstreams = new UpstreamRegistry(options.model);
  const gatewayMetrics = new GatewayMetrics(metrics.registry, book, options.config);
  const sharedCalls =
    options.store?.engine === 'postgres'
      ? new SharedCalls({
          store: options.store,
          calls: book.calls,
          counters: () => countersOf({ calls: book.calls, metrics: gatewayMetrics }),
          log: door.log,
        })
      : undefined;
  const sharedTargets =
    options.store?.engine === 'postgres'
      ? new SharedTargets({
          store: options.store,
          watch: book.targets,
          http: upstreams.http,
          providers: () => options.config().providers,
          log: door.log,
        })
      : undefined;
  const gateway: Gateway = {
    ...book,
    config: options.config,
    upstreams,
    clientReports: new ClientReports(tables, onStoreError),
    kept: new KeptResponses(
      options.store?.tables<KeptTables>(),
      () => options.config().responses.keepDays,
      (err) => door.log.error({ err }, 'a response could not be stored'),
      options.store?.engine === 'postgres' ? LOOK_AGAIN_MS : [],
    ),
    context: options.context,
    maxBlobBytes: options.maxBlobBytes ?? (() => 1024 * 1024),
    metrics: gatewayMetrics,
    sharedCalls,
    window,
    sharedLimits:
      options.store?.engine === 'postgres'
        ? new SharedLimits({ store: options.store, window, concurrency, log: door.log })
        : undefined,
    concurrency,
  };
  if (!door.hasRequestDecorator('caller')) {
    door.decorateRequest('caller', { getter: () => SOMEBODY });
    door.decorateRequest('errorCode', null);
  }
  if (!door.hasRequestDecorator('isRouted')) door.decorateRequest('isRouted', false);
  door.addHook('onRequest', (request, reply) => limitModelCalls(gateway, request, reply));
  gateway.kept.open();
  door.addHook('onClose', async () => {
    await gateway.kept.close();
    await gateway.sharedLimits?.close();
    await sharedTargets?.close();
    await sharedCalls?.close();
    await gateway.upstreams.close();
    if (options.book === undefined) await gateway.usageLog.close();
  });
  return gateway;
}

/** Whoever the mounting application let in. */
const SOMEBODY: Caller = {
  userId: 'usr_somebody' as Caller['userId'],
  userName: 'somebody',
  role: 'member',
  tokenName: '',
  tokenId: undefined,
};
