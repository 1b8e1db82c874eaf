import type { HttpLink } from '@dragoman/runner';
import { openStore, openTracing, takeKeysFromEnvironment, traceSettings, watchConfig } from '@dragoman/server/base';
import type { HubLink } from '@dragoman/protocol';
import { type AgentCalls, openAgentCalls } from './agent-calls.ts';
import { agentCodeSearch } from './agent-code-search.ts';
import type { CommandLog } from './command-log.ts';
import type { HostingLog } from './hosting-log.ts';
import { type AgentHost, hostAgents } from './host-agents.ts';
import { lazyContext } from './lazy-context.ts';
import type { Setup } from './load-setup.ts';
import { roomMigrations } from './rooms.ts';
import { VERSION } from './version.ts';

/** Which hub agents are hosted for, by a process that does nothing else. */
export interface HostForHubOptions {
  setup: Setup;
  link: HttpLink;
  /** The link as the runner sees it. */
  watched?: HubLink | undefined;
  hubUrl: string | undefined;
  name?: string | undefined;
  isShared: boolean;
  retry?: { firstMs: number; maxMs: number } | undefined;
  log: HostingLog;
  /** For what runners tell, where it is not `log`. */
  runnerLog?: CommandLog | undefined;
  /** A changed configuration was taken, or why it cannot be. */
  onConfig?: ((problem: string | undefined) => void) | undefined;
  /** Everything is loaded; the runner's folder is taken next. */
  beforeOpen?: (() => Promise<void>) | undefined;
}

/** Hosts the agents of this machine with a store and a context of their own, while `use` lasts. */
export async function hostForHub(options: HostForHubOptions, use: (host: AgentHost) => Promise<void>): Promise<void> {
  const { setup, link, log } = options;
  let inForce = setup.config;
  /** The setup with the configuration that is in force. */
  const live: Setup = {
    ...setup,
    get config() {
      return inForce;
    },
  };
  const tracing = openTracing(traceSettings(inForce.value.telemetry, process.env), {
    version: VERSION,
    onTrouble: (message) => log.warn({}, message),
  });
  const store = await openStore(setup.location, { rooms: roomMigrations, onIdleError: () => {} });
  let calls: AgentCalls | undefined;
  const context = lazyContext({
    store,
    folder: setup.folder.path,
    config: () => inForce.value,
    log,
    watch: false,
    calls: () => calls,
  });
  try {
    const opened = (calls = await openAgentCalls(store, { setup: live, log }));
    const { userId } = opened.owner;
    await options.beforeOpen?.();
    const host = hostAgents({
      openStore: () => Promise.resolve(store),
      setup: live,
      config: () => inForce.value,
      codeSearch: agentCodeSearch(async () => ({ context: await context.open(), userId })),
      calls: () => opened,
      link: options.watched ?? link,
      hubUrl: options.hubUrl,
      name: options.name,
      isShared: options.isShared,
      retry: options.retry,
      log: options.runnerLog ?? log,
    });
    const watch = watchConfig(setup.source, setup.config, {
      changed(loaded) {
        inForce = loaded;
        log.configured(loaded.value);
        takeKeysFromEnvironment(loaded.environmentNames);
        host.refresh();
        options.onConfig?.(undefined);
      },
      heldBack: (problem) => log.warn({}, problem),
      refused(error) {
        log.error({ err: error }, 'The configuration was not changed.');
        options.onConfig?.(error instanceof Error ? error.message : String(error));
      },
    });
    try {
      await use(host);
    } finally {
      watch.stop();
      await host.close();
    }
  } finally {
    await link.close();
    await context.close();
    await calls?.book.usageLog.close();
    await store.close();
    await tracing?.close();
    log.close();
  }
}
