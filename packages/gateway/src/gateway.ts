import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from './config/gateway-config.ts';
import type { KeptResponses } from './dialects/openai-responses/kept-responses.ts';
import type { CallBook } from './metering/call-book.ts';
import type { GatewayMetrics } from './metering/gateway-metrics.ts';
import type { SharedCalls } from './metering/shared-calls.ts';
import type { ClientReports } from './metering/client-reports.ts';
import type { ConcurrencyLimit } from './policy/concurrency-limit.ts';
import type { SharedLimits } from './policy/shared-limits.ts';
import type { RequestWindow } from './policy/request-window.ts';
import type { UpstreamRegistry } from './upstreams/upstream-registry.ts';

/** What every call of the gateway needs at hand. */
export interface Gateway extends CallBook {
  /** The configuration in force; it changes while the server runs. */
  config: () => GatewayConfig;
  upstreams: UpstreamRegistry;
  metrics: GatewayMetrics;
  window: RequestWindow;
  /** Where several servers count together. */
  sharedLimits: SharedLimits | undefined;
  concurrency: ConcurrencyLimit;
  /** Where several servers count and refuse together. */
  sharedCalls: SharedCalls | undefined;
  clientReports: ClientReports;
  kept: KeptResponses;
  /** What answers the context endpoints of the Augment protocol here, by path; absent where there is no context engine. */
  context: ContextHandlers | undefined;
  /** The largest file that clients may upload to the context engine. */
  maxBlobBytes: () => number;
}

export type ContextHandlers = Readonly<Record<string, (request: FastifyRequest) => Promise<unknown>>>;
