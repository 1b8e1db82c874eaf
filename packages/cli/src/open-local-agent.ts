import { type Agent, type Approver, type AskMode, openAgent, type SessionRunner } from '@dragoman/agent';
import type { CodeSearch } from '@dragoman/protocol';
import {
  type AccessTables,
  type ConfigOverride,
  openStore,
  OWNER_NAME,
  type Store,
  TokenStore,
} from '@dragoman/server/base';
import { type CommandLog, openCommandLog } from './command-log.ts';
import { agentModels } from './agent-models.ts';
import { type CommonOptions, openSetup, type Setup } from './load-setup.ts';
import { mcpAuth } from './mcp-auth-store.ts';
import { roomMigrations } from './rooms.ts';

export interface LocalAgentOptions extends CommonOptions {
  overrides?: readonly ConfigOverride[];
  approver?: Approver | undefined;
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
}

/** The native agent for a command, on the same data as the server's; both may run at once. */
export async function withLocalAgent<Result>(
  options: LocalAgentOptions,
  use: (local: LocalAgent) => Promise<Result>,
): Promise<Result> {
  const setup = openSetup(options, options.overrides);
  const log = openCommandLog(options.isStaying ?? false);
  const store = await openStore(setup.location, { rooms: roomMigrations, onIdleError: () => {} });
  const models = agentModels(() => setup.config.value);
  const code = lazyCodeSearch(store, setup, log);
  try {
    const agent = openAgent({
      store,
      folder: setup.folder.path,
      config: () => setup.config.value,
      openModel: models.open,
      codeSearch: code.searchIn,
      mcpAuth: mcpAuth({ secretsFile: setup.folder.secretsFile }),
      approver: options.approver,
      mode: options.mode ?? 'headless',
      onSession: options.onSession,
      log,
    });
    try {
      return await use({ agent, store, setup, log });
    } catch (error) {
      log.close(error);
      throw error;
    } finally {
      await agent.close();
    }
  } finally {
    await code.close();
    await models.close();
    await store.close();
    log.close();
  }
}

/** The context engine is opened when the agent first asks about the code. */
function lazyCodeSearch(
  store: Store,
  setup: Setup,
  log: CommandLog,
): { searchIn(root: string): Promise<CodeSearch>; close(): Promise<void> } {
  const open = async () => {
    const { openContext } = await import('@dragoman/context');
    const owner = await new TokenStore(store.tables<AccessTables>()).openUser(OWNER_NAME, 'admin');
    const config = () => setup.config.value;
    return { context: openContext({ store, folder: setup.folder.path, config, log, watch: false }), userId: owner.id };
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    async searchIn(root) {
      opened ??= open();
      const { context, userId } = await opened;
      await context.workspaces.open(userId, root);
      return context.searchIn(userId, root);
    },
    // One that could not be opened was told to whoever asked.
    close: async () => (await opened?.catch(() => undefined))?.context.close(),
  };
}
