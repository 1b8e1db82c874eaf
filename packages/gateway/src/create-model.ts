import { DragomanError, type Model, type ModelPrice } from '@dragoman/protocol';
import type { Reservation } from './budgets/budgets.ts';
import type { GatewayConfig } from './config/gateway-config.ts';
import { countTokens } from './dialects/anthropic-messages/count-tokens.ts';
import type { CallBook } from './metering/call-book.ts';
import { meterAnswer, newMeasure } from './metering/meter-answer.ts';
import { type CallOwner, noteCall } from './metering/note-call.ts';
import { traceModelCall } from './metering/trace-model-call.ts';
import { findPrice } from './prices/find-price.ts';
import { askRoute } from './routing/ask-route.ts';
import { promptKey } from './routing/conversation-key.ts';
import { modelLimits, type ModelLimits } from './routing/model-limits.ts';
import { prepareCall } from './routing/prepare-call.ts';
import { resolveRoute } from './routing/resolve-route.ts';
import { TargetWatch } from './routing/target-watch.ts';
import { UpstreamRegistry } from './upstreams/upstream-registry.ts';

/** How calls of agents are told from those of clients, where the dialect stands. */
const AGENT_DIALECT = 'agent';

/** Whose calls are not noted. */
const NOBODY: CallOwner = { userId: 'usr_nobody' as CallOwner['userId'], userName: '', tokenName: '' };

/** What a model shares with others. */
export interface CreateModelOptions {
  /** Connections and key pools; its own when not given. */
  upstreams?: UpstreamRegistry;
  /** Where its calls are noted, and whose they are; without it they are not. */
  notes?: { book: CallBook; caller: CallOwner } | undefined;
}

/** A route as a model that the other rooms can be handed: its targets are asked one after the other until one begins to answer. */
export function createModel(
  name: string,
  config: GatewayConfig,
  { upstreams = new UpstreamRegistry(), notes }: CreateModelOptions = {},
): Model {
  const watch = notes?.book.targets ?? new TargetWatch();
  const owner = notes?.caller ?? NOBODY;
  const stream: Model['stream'] = async (asked, sink, signal) => {
    const startedAt = performance.now();
    let route: ReturnType<typeof resolveRoute>;
    let reservation: Reservation | undefined;
    try {
      route = resolveRoute(name, config);
      reservation = await notes?.book.budgets.reserve({ owner, route });
      route = reservation?.route ?? route;
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      sink.push({ type: 'error', error });
      return;
    }
    const { call, redactions } = await prepareCall(asked, route, () => promptKey(owner, asked.prompt));
    const measure = newMeasure();
    const metered = meterAnswer(sink, measure);
    const calls = notes?.book.calls;
    calls?.began();
    const { target, attempts, failures, error } = await askRoute({
      upstreams,
      route,
      call,
      sink: metered,
      signal,
      watch,
      owner,
      calls,
    });
    if (notes !== undefined) {
      const silence = silenceIn(signal);
      noteCall(notes.book, {
        caller: notes.caller,
        dialect: AGENT_DIALECT,
        route: route.name,
        target,
        attempts,
        failures,
        isStreamed: true,
        startedAt,
        measure,
        prompt: () => call.prompt,
        sentTokens: () => countTokens(call),
        error: silence ?? error,
        isCancelled: signal.aborted && silence === undefined,
        redactions,
        repairs: 0,
        reservation,
      });
    }
    if (error !== undefined) sink.push({ type: 'error', error });
  };
  return {
    stream: (asked, sink, signal) => traceModelCall(AGENT_DIALECT, name, true, () => stream(asked, sink, signal)),
  };
}

/** Who answers first on a route, what it can take and what it costs. */
export interface RouteFacts {
  provider: string;
  model: string;
  limits: ModelLimits;
  price: ModelPrice | undefined;
}

/** Throws when there is no model of that name. */
export function describeRoute(name: string, config: GatewayConfig): RouteFacts {
  const [target] = resolveRoute(name, config).targets;
  if (target === undefined) throw new DragomanError('config-invalid', `The route "${name}" has no targets.`);
  return {
    provider: target.providerName,
    model: target.model,
    limits: modelLimits(target),
    price: findPrice(target)?.price,
  };
}

/** An agent that waited too long for its model calls the call off and says so: that is the provider's failure, not the agent's choice. */
function silenceIn({ reason }: AbortSignal): DragomanError | undefined {
  return reason instanceof DragomanError && reason.code === 'timed-out' ? reason : undefined;
}
