import { type CallBook, openCallBook } from '@dragoman/gateway/model';
import {
  type AccessTables,
  type Caller,
  type DataFolder,
  OWNER_NAME,
  type Store,
  TokenStore,
} from '@dragoman/server/base';
import type { CommandLog } from './command-log.ts';

/** Where the model calls of agents are noted, and who they count for. */
export interface AgentCalls {
  book: CallBook;
  /** Whoever the agents of this process belong to. */
  owner: Pick<Caller, 'userId' | 'userName'>;
}

/** For a command that has its store to itself: calls are kept beside those of a server on the same data. Close its log at the end. */
export async function openAgentCalls(
  store: Store,
  { folder, log }: { folder: DataFolder; log: Pick<CommandLog, 'info' | 'warn' | 'error'> },
): Promise<AgentCalls> {
  const owner = await new TokenStore(store.tables<AccessTables>()).openUser(OWNER_NAME, 'admin');
  return {
    book: openCallBook({ store, folder: folder.path, log }),
    owner: { userId: owner.id, userName: owner.name },
  };
}
