import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { SessionState } from '@dragoman/protocol';
import type { AgentDefinition } from '../agents/agent-definition.ts';

/** What of a session a person can choose. */
export interface SessionChoices {
  state: SessionState;
  agents: readonly AgentDefinition[];
  models: readonly string[];
}

/** The agents that people talk to, as modes. */
export function sessionModes({ state, agents }: SessionChoices): SessionModeState {
  return {
    currentModeId: state.info.agent,
    availableModes: primaryAgents(agents).map(({ name, description }) => ({ id: name, name, description })),
  };
}

/** The same choice and that of the model as options: a client that knows options does not look at modes. */
export function sessionOptions({ state, agents, models }: SessionChoices): SessionConfigOption[] {
  const current = modelName(state);
  const named = [...new Set([current, ...models])].toSorted(
    (one, other) => models.indexOf(one) - models.indexOf(other),
  );
  return [
    {
      type: 'select',
      id: 'mode',
      name: 'Agent',
      category: 'mode',
      currentValue: state.info.agent,
      options: primaryAgents(agents).map(({ name, description }) => ({ value: name, name, description })),
    },
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: current,
      options: named.map((name) => ({ value: name, name })),
    },
  ];
}

/** The agents that a person may choose. */
export function primaryAgents(agents: readonly AgentDefinition[]): AgentDefinition[] {
  return agents.filter(({ mode }) => mode !== 'subagent');
}

/** The name that the session's model was asked for by; where it was asked for by none, its own. */
export function modelName({ info: { model } }: SessionState): string {
  return model.route === undefined || model.route === '' ? `${model.providerID}/${model.modelID}` : model.route;
}
