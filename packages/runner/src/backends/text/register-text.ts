import type { AgentRegistry } from '../../backend/agent-registry.ts';

/** Makes `text` a kind of backend: any command at all, by rules for what it prints. */
export function registerText(registry: AgentRegistry): void {
  registry.registerBackend(
    'text',
    async (setup) => {
      const { TextBackend } = await import('./text-backend.ts');
      return new TextBackend(setup);
    },
    { title: 'Any command' },
  );
}
