import { type Agent, type Approver, type Asker, type AskMode, openAgent, type SessionRunner } from '@dragoman/agent';
import { type ConfigOverride, openStore, type Store } from '@dragoman/server/base';
import { type CommandLog, openCommandLog } from './command-log.ts';
import { type AgentCalls, openAgentCalls } from './agent-calls.ts';
import { agentCodeSearch } from './agent-code-search.ts';
import { agentModels } from './agent-models.ts';
import { lazyContext } from './lazy-context.ts';
import { type CommonOptions, openSetup, type Setup } from './load-setup.ts';
import { mcpAuth } from './mcp-auth-store.ts';
import { roomMigrations } from './rooms.ts';

export interface LocalAgentOptions extends CommonOptions {
  overrides?: readonly ConfigOverride[];
  approver?: Approver | undefined;
  asker?: Asker | undefined;
  /** Nobody can be asked where nothing is said. */
  mode?: AskMode;
  /** Told of every session as it is opened, also those of tasks. */
  onSession?: (runner: SessionRunner) => void;
  /** Stays, and tells troubles at once. */
  isStaying?: boolean;
}

export interface LocalAgent {
  agent: Agent;
  store: Store;
  setup: Setup;
  log: CommandLog;
  /** Whose sessions these are. */
  owner: AgentCalls['owner'];
}

/** The native agent for a command, on the same data as the server's; both may run at once. */
export async function withLocalAgent<Result>(
  options: LocalAgentOptions,
  use: (local: LocalAgent) => Promise<Result>,
): Promise<Result> {
  const setup = openSetup(options, options.overrides);
  const log = openCommandLog(options.isStaying ?? false);
  const store = await openStore(setup.location, { rooms: roomMigrations, onIdleError: () => {} });
  let calls: AgentCalls | undefined;
  const models = agentModels(
    () => setup.config.value,
    () => calls,
  );
  const context = lazyContext({
    store,
    folder: setup.folder.path,
    config: () => setup.config.value,
    log,
    watch: false,
    calls: () => calls,
  });
  try {
    const { owner } = (calls = await openAgentCalls(store, { setup, log }));
    const codeSearch = agentCodeSearch(async () => ({ context: await context.open(), userId: owner.userId }));
    const agent = openAgent({
      store,
      folder: setup.folder.path,
      config: () => setup.config.value,
      referredEnv: () => setup.config.environmentNames,
      openModel: (name) => models.open(name, 'native'),
      codeSearch,
      mcpAuth: mcpAuth({ secretsFile: setup.folder.secretsFile }),
      approver: options.approver,
      asker: options.asker,
      mode: options.mode ?? 'headless',
      onSession: options.onSession,
      log,
    });
    try {
      return await use({ agent, store, setup, log, owner });
    } catch (error) {
      log.close(error);
      throw error;
    } finally {
      await agent.close();
    }
  } finally {
    await context.close();
    await models.close();
    await calls?.book.usageLog.close();
    await store.close();
    log.close();
  }
}
