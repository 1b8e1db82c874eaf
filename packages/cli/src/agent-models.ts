import type { AgentModel } from '@dragoman/agent';
import { createModel, describeRoute, UpstreamRegistry } from '@dragoman/gateway/model';
import type { AgentCalls } from './agent-calls.ts';
import type { DragomanConfig } from './rooms.ts';

/** Models for the agents of a process. */
export interface AgentModels {
  /** Finds a model by its name, for the agent that will ask it. Throws when there is none. */
  open(name: string | undefined, agent: string): AgentModel;
  close(): Promise<void>;
}

/** The gateway's routes as models for agents. Connections are shared between them, and every call is noted. */
export function agentModels(
  config: () => DragomanConfig,
  /** Where calls are noted; nothing as long as there is no store. */
  calls: () => AgentCalls | undefined,
): AgentModels {
  const upstreams = new UpstreamRegistry();
  return {
    open(name = '', agent) {
      const { provider, model, limits, price } = describeRoute(name, config());
      return {
        providerID: provider,
        modelID: model,
        ...(name === `${provider}/${model}` ? {} : { route: name }),
        contextTokens: limits.context,
        maxOutputTokens: limits.output,
        price,
        model: createModel(name, config(), { upstreams, notes: notesFor(agent, calls()) }),
      };
    },
    close: () => upstreams.close(),
  };
}

function notesFor(agent: string, calls: AgentCalls | undefined) {
  return calls === undefined ? undefined : { book: calls.book, caller: { ...calls.owner, tokenName: agent } };
}
