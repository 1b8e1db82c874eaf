import { type CallBook, openCallBook } from '@dragoman/gateway/model';
import { type AccessTables, type Caller, OWNER_NAME, type Store, TokenStore } from '@dragoman/server/base';
import type { CommandLog } from './command-log.ts';

/** Where the model calls of agents are noted, and who they count for. */
export interface AgentCalls {
  book: CallBook;
  /** Whoever the agents of this process belong to. */
  owner: Pick<Caller, 'userId' | 'userName'>;
}

/** For a command that has its store to itself: calls are kept beside those of a server on the same data. Flush it at the end. */
export async function openAgentCalls(store: Store, log: Pick<CommandLog, 'warn'>): Promise<AgentCalls> {
  const owner = await new TokenStore(store.tables<AccessTables>()).openUser(OWNER_NAME, 'admin');
  return {
    book: openCallBook(store, (err) => log.warn({ err }, 'usage could not be stored')),
    owner: { userId: owner.id, userName: owner.name },
  };
}
