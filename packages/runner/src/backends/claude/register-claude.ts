import type { AgentRegistry } from '../../backend/agent-registry.ts';
import { CLAUDE_CAPABILITIES, probeClaude } from './claude-agent.ts';

/** Makes `claude` a kind of backend: Claude Code, driven without a screen. What drives it is loaded when used. */
export function registerClaude(registry: AgentRegistry): void {
  registry.registerBackend(
    'claude',
    async (setup) => {
      const { ClaudeBackend } = await import('./claude-backend.ts');
      return new ClaudeBackend(setup);
    },
    {
      title: 'Claude Code',
      capabilities: CLAUDE_CAPABILITIES,
      probe: (setup) => probeClaude(setup),
    },
  );
}
