import { type Context, openContext } from '@dragoman/context';
import { type AccessTables, openStore, OWNER_NAME, type Store, TokenStore } from '@dragoman/server/base';
import { codeEmbedder } from './code-embedder.ts';
import { type CommandLog, openCommandLog } from './command-log.ts';
import { type CommonOptions, openSetup, type Setup } from './load-setup.ts';
import { roomMigrations } from './rooms.ts';
import { INTERRUPTED_EXIT_CODE, type Interruption, untilInterrupted } from './until-interrupted.ts';

export interface LocalContext {
  context: Context;
  store: Store;
  setup: Setup;
  log: CommandLog;
  /** Commands act as the owner of the data folder. */
  userId: string;
  interrupted: Interruption;
}

/**
 * The context engine for a command, on the same data as the server's; both may run at once. A command that stays
 * follows changes. Ctrl-C ends it well.
 */
export async function withLocalContext(
  options: CommonOptions,
  isStaying: boolean,
  use: (local: LocalContext) => Promise<void>,
): Promise<void> {
  const interrupted = untilInterrupted();
  const setup = openSetup(options);
  const log = openCommandLog(isStaying);
  const store = await openStore(setup.location, { rooms: roomMigrations, onIdleError: () => {} });
  try {
    const owner = await new TokenStore(store.tables<AccessTables>()).openUser(OWNER_NAME, 'admin');
    const config = () => setup.config.value;
    // Nearly every command asks no provider, and need not load what would note it.
    const hasCalls = config().retrieval.embedding !== undefined;
    const calls = hasCalls ? await (await import('./agent-calls.ts')).openAgentCalls(store, { setup, log }) : undefined;
    const embedder = codeEmbedder(config, () => calls);
    const context = openContext({
      store,
      folder: setup.folder.path,
      config,
      log,
      watch: isStaying,
      embedder: embedder.current,
    });
    try {
      await use({ context, store, setup, log, userId: owner.id, interrupted });
      log.close();
    } catch (error) {
      log.close(error);
      if (!interrupted.signal.aborted) throw error;
      process.exitCode = INTERRUPTED_EXIT_CODE;
    } finally {
      await context.close();
      await embedder.close();
      await calls?.book.usageLog.close();
    }
  } finally {
    await store.close();
  }
}
