import { DragomanError, type Model } from '@dragoman/protocol';
import { FirstEventGate } from './answer/first-event-gate.ts';
import type { GatewayConfig } from './config/gateway-config.ts';
import { redactCall } from './policy/redact-call.ts';
import { resolveRoute } from './routing/resolve-route.ts';
import { UpstreamRegistry } from './upstreams/upstream-registry.ts';

/** A route as a model that the other rooms can be handed: its targets are tried in order until one begins to answer. */
export function createModel(name: string, config: GatewayConfig, upstreams = new UpstreamRegistry()): Model {
  return {
    async stream(asked, sink, signal) {
      let error = new DragomanError('unavailable', 'There is no target to ask.');
      try {
        const route = resolveRoute(name, config);
        const { call } = route.isRedacted ? redactCall(asked) : { call: asked };
        for (const target of route.targets) {
          const gate = new FirstEventGate(sink);
          try {
            await (await upstreams.open(call, target, true, signal)).run(gate);
            if (gate.earlyError === undefined) return;
            error = gate.earlyError;
          } catch (thrown) {
            error = toDragomanError(thrown);
          }
          if (!error.isRetryable || signal.aborted) break;
        }
      } catch (thrown) {
        error = toDragomanError(thrown);
      }
      sink.push({ type: 'error', error });
    },
  };
}

function toDragomanError(thrown: unknown): DragomanError {
  return thrown instanceof DragomanError
    ? thrown
    : new DragomanError('internal', 'The model could not be asked.', { cause: thrown });
}
