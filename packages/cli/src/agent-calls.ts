import { type CallBook, openCallBook } from '@dragoman/gateway/model';
import { type AccessTables, type Caller, OWNER_NAME, type Store, TokenStore } from '@dragoman/server/base';
import type { CommandLog } from './command-log.ts';
import type { Setup } from './load-setup.ts';

/** Where the model calls of agents are noted, and who they count for. */
export interface AgentCalls {
  book: CallBook;
  /** Whoever the agents of this process belong to. */
  owner: Pick<Caller, 'userId' | 'userName' | 'role'>;
}

/** For a command that has its store to itself: calls are kept beside those of a server on the same data. Close its log at the end. */
export async function openAgentCalls(
  store: Store,
  { setup, log }: { setup: Pick<Setup, 'folder' | 'config'>; log: Pick<CommandLog, 'info' | 'warn' | 'error'> },
): Promise<AgentCalls> {
  const owner = await new TokenStore(store.tables<AccessTables>()).openUser(OWNER_NAME, 'admin');
  return {
    book: openCallBook({
      store,
      folder: setup.folder.path,
      budgetConfig: () => setup.config.value.budgets,
      log,
    }),
    owner: { userId: owner.id, userName: owner.name, role: owner.role },
  };
}
