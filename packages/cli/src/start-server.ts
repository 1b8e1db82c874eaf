import { hostname } from 'node:os';
import { augmentHandlers, contextPlugin } from '@dragoman/context/setup';
import { gatewayPlugin, openCallBook } from '@dragoman/gateway';
import { hubPlugin } from '@dragoman/hub/setup';
import { DragomanError } from '@dragoman/protocol';
import {
  type AccessTables,
  type Caller,
  confidentialValues,
  FailedAttempts,
  isLoopback,
  type Leases,
  listen,
  loadConfig,
  type LoadedConfig,
  Metrics,
  openDoor,
  openLog,
  openStore,
  openTracing,
  type OwnState,
  OWNER_NAME,
  ProcessTokens,
  type ServerLock,
  settingsForNextStart,
  settingsPlugin,
  SharedSettings,
  stopDoor,
  takeKeysFromEnvironment,
  TokenStore,
  traceSettings,
  watchConfig,
} from '@dragoman/server';
import { lazyWorkplace } from './console/lazy-workplace.ts';
import { workplacePlugin } from './console/workplace-plugin.ts';
import { ConsoleAssets } from './console/console-assets.ts';
import { BUILT_ASSETS, consolePages, sendPage } from './console/console-pages.ts';
import { lazyContext } from './lazy-context.ts';
import { lazyHub } from './lazy-hub.ts';
import type { ProgramCommand } from './server-runner/runner-process.ts';
import type { Setup } from './load-setup.ts';
import { mcpLoginUses } from './mcp-auth-store.ts';
import { type DragomanConfig, roomMigrations } from './rooms.ts';
import { settleAfterLargeBody } from './settle-memory.ts';
import { VERSION } from './version.ts';

/** How a server is started, on a data folder that is its own. */
export interface StartOptions {
  /** When it was started, as its lock says. */
  startedAt: number;
  lock: Pick<ServerLock, 'announce' | 'leave' | 'prove' | 'runnerToken'>;
  leases: Leases;
  /** A token that counts while it runs. */
  token: string | undefined;
  /** How the process for agents is started. */
  program: ProgramCommand;
}

/** A server that is up. */
export interface Server {
  url: string;
  /** A link that logs one browser in as the owner, once. */
  createLoginLink(): Promise<string>;
  /** Ends it in good order, and its agents; those at work may be left to the next server. */
  stop(ending?: { leavesWorking: boolean }): Promise<void>;
}

/** Puts the server together, from the ground up, and takes it apart in the opposite order. */
export async function startServer(setup: Setup, options: StartOptions): Promise<Server> {
  const { startedAt, lock, leases, token: processToken, program } = options;
  let inForce = setup.config;
  let config = inForce.value;
  /** The setup with the configuration that is in force. */
  const live: Setup = {
    ...setup,
    get config() {
      return inForce;
    },
  };
  let confidential = confidentialValues(config);
  /** What other servers on the same database changed is taken as soon as the configuration is watched. */
  let takeShared: (() => void) | undefined;
  /** What this server makes of its settings, as soon as it listens. */
  let ownState: (() => OwnState) | undefined;
  const log = await openLog(config.log, { confidential: () => confidential });
  const store = await openStore(setup.location, {
    rooms: roomMigrations,
    onIdleError: (err) => log.warn({ err }, 'a database connection was lost'),
  });
  const stopping = new AbortController();
  try {
    const shared =
      store.engine === 'sqlite'
        ? undefined
        : await SharedSettings.open({
            store,
            file: setup.folder.sharedFile,
            log,
            changed: () => takeShared?.(),
            inForce: () => inForce.shared,
            ownState: () => ownState?.(),
          });
    if (shared !== undefined) {
      inForce = loadConfig(setup.source);
      config = inForce.value;
      confidential = confidentialValues(config);
      takeKeysFromEnvironment(inForce.environmentNames);
    }
    const started = config;
    const forNextStart = () => settingsForNextStart(started, config);
    const tokens = new TokenStore(store.tables<AccessTables>(), Date.now, (err) =>
      log.warn({ err }, 'the last use of a token could not be written down'),
    );
    const owner = await tokens.openUser(OWNER_NAME, 'admin');
    const processTokens = new ProcessTokens();
    if (processToken !== undefined) processTokens.add(processToken, owner);
    processTokens.add(lock.runnerToken, owner);
    await refuseOpenHouse(config.server.host, tokens, processToken);

    const metrics = new Metrics();
    const tracing = openTracing(traceSettings(config.telemetry, process.env), {
      version: VERSION,
      onTrouble: (message) => log.warn(message),
    });
    if (tracing !== undefined) metrics.countDroppedSpans(() => tracing.dropped);
    const book = openCallBook({ store, folder: setup.folder.path, budgetConfig: () => config.budgets, log });
    const door = openDoor({
      config: () => config.server,
      access: { tokens, processTokens, failedAttempts: new FailedAttempts() },
      facts: {
        version: VERSION,
        startedAt,
        prove: (challenge) => lock.prove(challenge),
        usageWaiting: () => book.usageLog.waiting,
        restingTargets: () => book.targets.rests.list(config.providers).length,
        pingStore: () => store.ping(),
        isDiskFull: () => store.isDiskFull(),
      },
      log,
      metrics,
      stopping: stopping.signal,
      leases,
      onLargeBody: settleAfterLargeBody,
      showMissing: sendPage,
    });
    const agentOwner: Caller = {
      userId: owner.id,
      userName: owner.name,
      role: owner.role,
      tokenName: 'server',
      tokenId: undefined,
    };
    const context = lazyContext({
      store,
      folder: setup.folder.path,
      config: () => config,
      log,
      watch: true,
      editorFolders: () => leases.folders(),
      calls: () => ({ book, owner: agentOwner }),
    });
    await door.register(gatewayPlugin, {
      config: () => config,
      store,
      book,
      metrics,
      context: augmentHandlers(context.handlers),
      maxBlobBytes: () => config.retrieval.maxFileBytes,
    });
    await door.register(contextPlugin, { handlers: context.handlers });
    const hub = lazyHub({
      store,
      setup: live,
      config: () => config,
      openContext: context.open,
      owner: agentOwner,
      book,
      program,
      log,
    });
    await door.register(hubPlugin, { handlers: hub.handlers });
    const assets = store.engine === 'sqlite' ? undefined : await ConsoleAssets.open({ store, folder: BUILT_ASSETS });
    consolePages(door, { elsewhere: assets });
    const workplace = lazyWorkplace({
      store,
      setup: live,
      config: () => config,
      calls: { book, owner: agentOwner },
      log,
      stopping: stopping.signal,
    });
    await door.register(workplacePlugin, { handlers: workplace.handlers });
    await door.register(settingsPlugin, {
      source: setup.source,
      watch: () => watch,
      store,
      forNextStart,
      shared,
      tokens,
      version: VERSION,
      startedAt,
      dataFolder: setup.folder.path,
      publicUrl: () => publicUrl,
      secretUses: mcpLoginUses,
      diagnose: async () =>
        (await import('./console/diagnose-server.ts')).diagnoseServer({
          setup,
          store,
          config: inForce,
          problem: watch.problem,
          url,
          usageWaiting: book.usageLog.waiting,
          resting: book.targets.rests.list(config.providers),
        }),
    });
    const url = await listen(door, config.server.host, config.server.port);
    try {
      lock.announce(url);
    } catch (error) {
      await stopDoor(door, 0);
      throw error;
    }
    // Requests for another host are refused until the next start, so links name the one of this.
    const publicUrl = config.server.publicUrl?.replace(/\/$/, '') ?? url;

    hub.wake().catch((err: unknown) => log.error({ err }, 'sessions that were at work could not be taken up'));

    const watch = watchConfig(setup.source, inForce, {
      changed(loaded: LoadedConfig<DragomanConfig>) {
        const told = forNextStart();
        inForce = loaded;
        config = loaded.value;
        for (const setting of forNextStart())
          if (!told.includes(setting)) log.warn(`"${setting}" was changed; restart the server to apply it`);
        confidential = confidentialValues(config);
        takeKeysFromEnvironment(loaded.environmentNames);
        hub.refresh();
        log.level = config.log.level;
        log.info('the configuration was read again');
      },
      refused: (error) =>
        log.error(`${error instanceof Error ? error.message : String(error)}\nThe configuration was not changed.`),
      heldBack: (problem) => log.warn(problem),
    });

    takeShared = () => {
      try {
        watch.reload();
      } catch {
        // Told to the listener.
      }
    };
    if (shared !== undefined) {
      takeShared();
      const name = `${hostname()}:${new URL(url).port}`;
      ownState = () => ({ name, problem: watch.problem, forNextStart: forNextStart() });
      await shared.refresh();
    }

    return {
      url,
      createLoginLink: async () => `${publicUrl}/login#${await tokens.createLoginCode(owner.id)}`,
      async stop({ leavesWorking } = { leavesWorking: false }) {
        await hub.endAgents({ leavesWorking }).catch((err: unknown) => log.error({ err }, 'agents could not be ended'));
        lock.leave();
        watch.stop();
        await shared?.close();
        assets?.close();
        stopping.abort();
        const cut = await stopDoor(door, config.server.timeouts.stopMs);
        if (cut > 0) log.warn({ cut }, 'connections were cut because they did not end in time');
        await workplace.close();
        await hub.close();
        await context.close();
        await book.usageLog.close(); // Agents and the index made calls after the door was closed.
        await store.close();
        await tracing?.close();
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
      `Listening on ${host} opens the server to other machines, and there is no token yet. Create one first with: dragoman token create NAME`,
    );
  }
  if (processToken.length < 20) {
    throw new DragomanError(
      'config-invalid',
      `Listening on ${host} opens the server to other machines; the given token has ${processToken.length} characters and needs at least 20.`,
    );
  }
}
