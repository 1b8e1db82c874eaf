import { createNativeHost, NATIVE_CAPABILITIES, NATIVE_MODES } from '@dragoman/agent/backend';
import { listModelNames } from '@dragoman/gateway/model';
import type { CodeSearch } from '@dragoman/protocol';
import { type AgentConfig, AgentRegistry, type AgentSetup, type RunnerLog, registerBackends } from '@dragoman/runner';
import type { Store } from '@dragoman/server/base';
import type { AgentCalls } from './agent-calls.ts';
import { agentModels } from './agent-models.ts';
import type { Setup } from './load-setup.ts';
import { mcpAuth } from './mcp-auth-store.ts';
import { registerOllama } from './ollama-agent.ts';
import { placeAgents } from './place-agents.ts';
import type { DragomanConfig } from './rooms.ts';

/** What agents of this process work with. */
export interface AgentBackendsOptions {
  /** Asked for with the first session of the native agent; the others need none. */
  openStore: () => Promise<Store>;
  /** With the configuration that is in force, whose keys the native agent's commands are not handed. */
  setup: Pick<Setup, 'folder' | 'source'> & { config?: Pick<Setup['config'], 'environmentNames'> };
  config: () => DragomanConfig;
  codeSearch: (root: string) => Promise<CodeSearch>;
  /** Where their model calls are noted, once there is a store for it; without it they are not. */
  calls?: (() => AgentCalls | undefined) | undefined;
  log: RunnerLog;
}

/** The agent that is no other program. Sessions of all names that it goes by share one. */
const NATIVE = 'native';

/** The agents of a process. */
export interface AgentBackends {
  registry: AgentRegistry;
  /** Those of the configuration, as it is now. */
  configured(): Readonly<Record<string, AgentConfig>>;
  close(): Promise<void>;
}

/** Every kind of agent that can be started here. What a kind needs is loaded with its first session. */
export function agentBackends(options: AgentBackendsOptions): AgentBackends {
  const { openStore, setup, config, codeSearch, calls = () => undefined, log } = options;
  const models = agentModels(config, calls);
  const listModels = () => listModelNames(config());
  const native = createNativeHost({
    async open(ports) {
      const [{ openAgent }, store] = await Promise.all([import('@dragoman/agent'), openStore()]);
      return openAgent({
        ...ports,
        store,
        folder: setup.folder.path,
        config,
        referredEnv: () => setup.config?.environmentNames ?? [],
        openModel: (name) => models.open(name, NATIVE),
        codeSearch,
        mcpAuth: mcpAuth({ secretsFile: setup.folder.secretsFile }),
        log,
      });
    },
    models: listModels,
  });

  const registry = new AgentRegistry();
  const about = {
    title: 'Dragoman',
    capabilities: NATIVE_CAPABILITIES,
    needsNoSetup: true,
    comesFirst: true,
    choices: { models: 'gateway' as const, modes: [...NATIVE_MODES] },
    usual: ({ model = config().agent.model ?? 'default', mode = config().agent.agent }: AgentSetup) => ({
      model,
      mode,
    }),
    probe: async ({ model }: AgentSetup) => {
      models.open(model, NATIVE);
      return undefined;
    },
  };
  registry.registerBackend(NATIVE, ({ model, mode }) => native.create({ model, mode }), about);
  registerBackends(registry, { openModel: models.open, listModels });
  const ollama = registerOllama(registry, config, calls);
  // Kept until the configuration changes: every look at one agent asks for all of them.
  let placed: { from: unknown; agents: ReturnType<typeof placeAgents> } | undefined;
  return {
    registry,
    configured() {
      const { agents } = config();
      if (placed?.from !== agents) placed = { from: agents, agents: placeAgents(agents, setup.source.file) };
      return placed.agents;
    },
    async close() {
      await native.close();
      await models.close();
      await ollama.close();
    },
  };
}
