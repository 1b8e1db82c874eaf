import { DragomanError, type Model } from '@dragoman/protocol';
import { FirstEventGate } from './answer/first-event-gate.ts';
import type { GatewayConfig } from './config/gateway-config.ts';
import { modelLimits, type ModelLimits } from './routing/model-limits.ts';
import { prepareCall } from './routing/prepare-call.ts';
import { resolveRoute } from './routing/resolve-route.ts';
import { tryTargets } from './routing/try-targets.ts';
import { UpstreamRegistry } from './upstreams/upstream-registry.ts';

/** A route as a model that the other rooms can be handed: its targets are tried in order until one begins to answer. */
export function createModel(name: string, config: GatewayConfig, upstreams = new UpstreamRegistry()): Model {
  return {
    async stream(asked, sink, signal) {
      let error: DragomanError | undefined;
      try {
        const route = resolveRoute(name, config);
        const { call } = prepareCall(asked, route);
        error = await tryTargets(route.targets, signal, async (target) => {
          const gate = new FirstEventGate(sink);
          try {
            await (await upstreams.open(call, target, true, signal)).run(gate);
            return gate.earlyError;
          } catch (thrown) {
            return toDragomanError(thrown);
          }
        });
      } catch (thrown) {
        error = toDragomanError(thrown);
      }
      if (error !== undefined) sink.push({ type: 'error', error });
    },
  };
}

/** Who answers first on a route, what it can take and what it costs. */
export interface RouteFacts {
  provider: string;
  model: string;
  limits: ModelLimits;
  /** US dollars for a million tokens. */
  price: GatewayConfig['providers'][string]['prices'][string] | undefined;
}

/** Throws when there is no model of that name. */
export function describeRoute(name: string, config: GatewayConfig): RouteFacts {
  const [target] = resolveRoute(name, config).targets;
  if (target === undefined) throw new DragomanError('config-invalid', `The route "${name}" leads nowhere.`);
  const { prices } = target.provider;
  return {
    provider: target.providerName,
    model: target.model,
    limits: modelLimits(target),
    price: prices[target.model] ?? prices['*'],
  };
}

function toDragomanError(thrown: unknown): DragomanError {
  return thrown instanceof DragomanError
    ? thrown
    : new DragomanError('internal', 'The model could not be asked.', { cause: thrown });
}
