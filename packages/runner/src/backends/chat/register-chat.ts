import type { AgentRegistry } from '../../backend/agent-registry.ts';
import type { ChatBackendOptions, ChatModel } from './chat-backend.ts';
import { CHAT_CAPABILITIES } from './chat-capabilities.ts';
import type { ChatConfig } from './chat-config.ts';

/** Where models come from. */
export interface ChatPorts extends Pick<ChatBackendOptions, 'listModels'> {
  /** Finds a model as a chat agent does, and is told which agent will ask it. */
  openModel: (model: string | undefined, agent: string) => ChatModel;
}

/** Makes `chat` a kind of backend: a plain conversation with any route of the gateway. */
export function registerChat(registry: AgentRegistry, ports: ChatPorts): void {
  registry.registerBackend(
    'chat',
    async ({ name, model, options, folder }) => {
      const { chatBackend } = await import('./chat-backend.ts');
      const { route, system } = options as ChatConfig;
      const openModel = (asked?: string) => ports.openModel(asked, name);
      return chatBackend({ ...ports, openModel, name, model: model ?? route, system, folder });
    },
    {
      title: 'Chat',
      capabilities: CHAT_CAPABILITIES,
      needsNoSetup: true,
      choices: { models: 'gateway' },
      // A route that is not there is told before a session is started with it.
      probe: async ({ name, model, options }) => {
        ports.openModel(model ?? (options as ChatConfig).route, name);
        return undefined;
      },
    },
  );
}
