import type { AgentOffer } from '@dragoman/protocol';
import { useCall } from './calls.ts';

/** Agents of our own ask the gateway, so its names are theirs. */
const ASKS_GATEWAY = ['native', 'chat'];
/** The modes our own agent always has; a project may add others. */
const NATIVE_MODES = ['build', 'plan'];

/** The models and modes that are known of an agent before it runs and tells them itself. */
export function useKnownChoices(
  agent: AgentOffer | undefined,
  isWanted = true,
): { models: readonly string[]; modes: readonly string[] } {
  const hasModels = isWanted && agent?.capabilities.models === true && ASKS_GATEWAY.includes(agent.backend);
  const gateway = useCall('readGateway', undefined, { isEnabled: hasModels, staleMs: 60_000 });
  return {
    models: hasModels ? (gateway.data?.models ?? []) : [],
    modes: isWanted && agent?.capabilities.modes === true && agent.backend === 'native' ? NATIVE_MODES : [],
  };
}
