import type { AgentRegistry } from '../../backend/agent-registry.ts';
import { CODEX_CAPABILITIES, probeCodex } from './codex-agent.ts';

/** Makes `codex` a kind of backend: Codex, driven through its app server. What drives it is loaded when used. */
export function registerCodex(registry: AgentRegistry): void {
  registry.registerBackend(
    'codex',
    async (setup) => {
      const { CodexBackend } = await import('./codex-backend.ts');
      return new CodexBackend(setup);
    },
    {
      title: 'Codex',
      capabilities: CODEX_CAPABILITIES,
      probe: (setup) => probeCodex(setup),
    },
  );
}
