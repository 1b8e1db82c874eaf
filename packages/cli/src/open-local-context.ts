import { type Context, openContext } from '@dragoman/context';
import { type AccessTables, openStore, OWNER_NAME, type Store, TokenStore } from '@dragoman/server';
import { type CommonOptions, openSetup, type Setup } from './load-setup.ts';
import { roomMigrations } from './rooms.ts';

export interface LocalContext {
  context: Context;
  store: Store;
  setup: Setup;
  /** Commands act as the owner of the data folder. */
  userId: string;
}

/** The context engine for a command, on the same data as the server's; both may run at once. */
export async function withLocalContext<Result>(
  options: CommonOptions,
  watch: boolean,
  use: (local: LocalContext) => Promise<Result>,
): Promise<Result> {
  const setup = openSetup(options);
  const store = await openStore(setup.location, { rooms: roomMigrations, onIdleError: () => {} });
  try {
    const owner = await new TokenStore(store.tables<AccessTables>()).openUser(OWNER_NAME, 'admin');
    const context = openContext({
      store,
      folder: setup.folder.path,
      config: () => setup.config.value,
      log: commandLog,
      watch,
    });
    try {
      return await use({ context, store, setup, userId: owner.id });
    } finally {
      await context.close();
    }
  } finally {
    await store.close();
  }
}

/** What goes wrong on the way is told on standard error, in one line; the rest is the server's business. */
export const commandLog = {
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: (facts: object, message: string) => tell(facts, message),
  error: (facts: object, message: string) => tell(facts, message),
};

function tell(facts: object, message: string): void {
  const { reason, err, path } = facts as { reason?: unknown; err?: unknown; path?: unknown };
  const why = reason ?? (err instanceof Error ? err.message : undefined);
  const about = [path, why].filter((part) => typeof part === 'string').join(': ');
  process.stderr.write(`dragoman: ${message}${about === '' ? '' : ` (${about})`}\n`);
}
