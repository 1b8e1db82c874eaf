import { type AccessTables, openStore, TokenStore } from '@dragoman/server/base';
import { type CommonOptions, openSetup, type Setup } from './load-setup.ts';
import { roomMigrations } from './rooms.ts';

/** Opens the store for a command that deals with tokens, and closes it again. */
export async function withTokens<Result>(
  options: CommonOptions,
  work: (tokens: TokenStore, setup: Setup) => Promise<Result>,
): Promise<Result> {
  const setup = openSetup(options);
  const store = await openStore(setup.location, { rooms: roomMigrations });
  try {
    return await work(new TokenStore(store.tables<AccessTables>()), setup);
  } finally {
    await store.close();
  }
}
