import type { AgentOffer } from '@dragoman/protocol';
import { useCall } from './calls.ts';

/** What is known of an agent before it runs and tells it itself. */
export interface KnownChoices {
  models: readonly string[];
  modes: readonly string[];
  /** The model that answers where none is chosen; of a route the first that it leads to. */
  usualModel: string | undefined;
}

/** The models and modes that are known of an agent. */
export function useKnownChoices(agent: AgentOffer | undefined, isWanted = true): KnownChoices {
  const hasModels = isWanted && agent?.capabilities.models === true && agent.choices?.models === 'gateway';
  const gateway = useCall('readGateway', undefined, { isEnabled: hasModels, staleMs: 60_000 });
  const usual = agent?.usual?.model;
  const route = gateway.data?.routes.find(({ name }) => name === usual);
  return {
    usualModel: route?.targets[0] ?? (usual === 'default' ? undefined : usual),
    models: hasModels ? (gateway.data?.models ?? []) : [],
    modes: isWanted && agent?.capabilities.modes === true ? (agent.choices?.modes ?? []) : [],
  };
}
