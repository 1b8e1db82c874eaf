import type { AgentRegistry } from '../../backend/agent-registry.ts';

/** Makes `uap` a kind of backend: any command that speaks the Universal Agent Protocol itself, one JSON object a line. */
export function registerUap(registry: AgentRegistry): void {
  registry.registerBackend(
    'uap',
    async (setup) => {
      const { UapBackend } = await import('./uap-backend.ts');
      return new UapBackend(setup);
    },
    { title: 'Universal Agent Protocol' },
  );
}
