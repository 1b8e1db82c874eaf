import type { AgentRegistry } from '../../backend/agent-registry.ts';

/** Makes `acp` a kind of backend: any command that speaks the Agent Client Protocol. What drives it is loaded when used. */
export function registerAcp(registry: AgentRegistry): void {
  registry.registerBackend(
    'acp',
    async (setup) => {
      const { AcpBackend } = await import('./acp-backend.ts');
      return new AcpBackend(setup);
    },
    {
      title: 'Agent Client Protocol',
      capabilities: { resume: true, approvals: true, files: true },
      async probe(setup) {
        const { probeAcpAgent } = await import('./probe-acp-agent.ts');
        return probeAcpAgent(setup);
      },
    },
  );
}
