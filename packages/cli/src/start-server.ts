import { augmentHandlers, contextPlugin } from '@dragoman/context/setup';
import { gatewayPlugin } from '@dragoman/gateway';
import { DragomanError } from '@dragoman/protocol';
import {
  type AccessTables,
  FailedAttempts,
  isLoopback,
  listen,
  type LoadedConfig,
  Metrics,
  openDoor,
  openLog,
  openStore,
  OWNER_NAME,
  ProcessTokens,
  stopDoor,
  TokenStore,
  watchConfig,
} from '@dragoman/server';
import { lazyContext } from './lazy-context.ts';
import type { Setup } from './load-setup.ts';
import { type DragomanConfig, roomMigrations } from './rooms.ts';
import { noteRunning } from './running-server.ts';
import { VERSION } from './version.ts';

export interface Server {
  url: string;
  /** A link that logs one browser in as the owner, once. */
  createLoginLink(): Promise<string>;
  /** Ends it in good order. */
  stop(): Promise<void>;
}

/** Puts the server together, from the ground up, and takes it apart in the opposite order. */
export async function startServer(setup: Setup, processToken: string | undefined): Promise<Server> {
  let config = setup.config.value;
  const log = await openLog(config.log);
  const store = await openStore(setup.location, {
    rooms: roomMigrations,
    onIdleError: (err) => log.warn({ err }, 'a database connection was lost'),
  });
  const stopping = new AbortController();
  try {
    const tokens = new TokenStore(store.tables<AccessTables>());
    const owner = await tokens.openUser(OWNER_NAME, 'admin');
    const processTokens = new ProcessTokens();
    if (processToken !== undefined) processTokens.add(processToken, owner);
    await refuseOpenHouse(config.server.host, tokens, processToken);

    const metrics = new Metrics();
    const door = openDoor({
      config: config.server,
      access: { tokens, processTokens, failedAttempts: new FailedAttempts() },
      facts: { version: VERSION, startedAt: Date.now(), pingStore: () => store.ping() },
      log,
      metrics,
      stopping: stopping.signal,
    });
    const context = lazyContext({ store, folder: setup.folder.path, config: () => config, log, watch: true });
    await door.register(gatewayPlugin, {
      config: () => config,
      store,
      metrics: metrics.registry,
      context: augmentHandlers(context.handlers),
      maxBlobBytes: () => config.retrieval.maxFileBytes,
    });
    await door.register(contextPlugin, { handlers: context.handlers });
    const url = await listen(door, config.server.host, config.server.port);
    const forgetRunning = noteRunning(setup.folder, { url, pid: process.pid });

    const watch = watchConfig(setup.source, setup.config, {
      changed(loaded: LoadedConfig<DragomanConfig>) {
        for (const section of changedForNextStart(config, loaded.value))
          log.warn(`"${section}" was changed; it takes effect at the next start`);
        config = loaded.value;
        log.level = config.log.level;
        log.info('the configuration was read again');
      },
      refused: (error) =>
        log.error(`${error instanceof Error ? error.message : String(error)}\nThe configuration was not changed.`),
    });

    return {
      url,
      createLoginLink: async () =>
        `${config.server.publicUrl?.replace(/\/$/, '') ?? url}/login#${await tokens.createLoginCode(owner.id)}`,
      async stop() {
        watch.stop();
        stopping.abort();
        const cut = await stopDoor(door, config.server.timeouts.stopMs);
        if (cut > 0) log.warn({ cut }, 'connections were cut because they did not end in time');
        forgetRunning();
        await context.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Beyond this machine only with a token that is worth the name. */
async function refuseOpenHouse(host: string, tokens: TokenStore, processToken: string | undefined): Promise<void> {
  if (isLoopback(host)) return;
  if (processToken === undefined) {
    if (await tokens.hasLiveToken()) return;
    throw new DragomanError(
      'config-invalid',
      `Listening on ${host} opens the server to other machines, and no token exists yet. Make one first with: dragoman token create NAME`,
    );
  }
  if (processToken.length < 20) {
    throw new DragomanError(
      'config-invalid',
      `Listening on ${host} opens the server to other machines; the given token has ${processToken.length} characters and needs at least 20.`,
    );
  }
}

/** What cannot change under a running server. */
function changedForNextStart(before: DragomanConfig, after: DragomanConfig): string[] {
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  return [
    ...(isSame(before.server, after.server) ? [] : ['server']),
    ...(isSame(before.log.format, after.log.format) ? [] : ['log.format']),
    ...(isSame(before.limits, after.limits) ? [] : ['limits']),
  ];
}
