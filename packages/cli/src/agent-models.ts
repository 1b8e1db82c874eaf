import type { AgentModel } from '@dragoman/agent';
import { createModel, describeRoute, UpstreamRegistry } from '@dragoman/gateway/model';
import type { DragomanConfig } from './rooms.ts';

/** The gateway's routes as models for the agent. Connections are shared between them. */
export function agentModels(config: () => DragomanConfig): { open(name?: string): AgentModel; close(): Promise<void> } {
  const upstreams = new UpstreamRegistry();
  return {
    open(name = '') {
      const { provider, model, limits, price } = describeRoute(name, config());
      return {
        providerID: provider,
        modelID: model,
        ...(name === `${provider}/${model}` ? {} : { route: name }),
        contextTokens: limits.context,
        maxOutputTokens: limits.output,
        price,
        model: createModel(name, config(), upstreams),
      };
    },
    close: () => upstreams.close(),
  };
}
