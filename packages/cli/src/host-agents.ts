import { hostname } from 'node:os';
import type { HubLink } from '@dragoman/protocol';
import { openRunner, PRESETS, type Runner, type RunnerOptions } from '@dragoman/runner';
import { agentBackends, type AgentBackends, type AgentBackendsOptions } from './agent-backends.ts';
import { runnerFolder } from './runner-folder.ts';
import { VERSION } from './version.ts';

/** Where the agents of this process answer to, and who may use them where the configuration says nothing. */
export interface HostAgentsOptions extends AgentBackendsOptions {
  link: HubLink;
  /** A hub elsewhere, by its address. What waits for one hub is never handed to another. */
  hubUrl: string | undefined;
  /** What the machine is called where the configuration says nothing. */
  name?: string | undefined;
  isShared: boolean;
  retry?: RunnerOptions['retry'];
  /** See `RunnerOptions`. */
  onWork?: RunnerOptions['onWork'];
  whyWaiting?: RunnerOptions['whyWaiting'];
}

/** Agents that are hosted. */
export interface AgentHost extends Runner {
  /** What is between this machine and the hub. */
  folder: string;
}

/** Hosts every kind of agent for a hub, beside the files of this machine. */
export function hostAgents(options: HostAgentsOptions): AgentHost {
  const { setup, config, link, log } = options;
  const backends = agentBackends(options);
  const folder = runnerFolder(setup, options.hubUrl);
  const runner = openOrClose(backends, {
    folder,
    registry: backends.registry,
    agents: backends.configured,
    presets: PRESETS,
    link,
    roots: () => config().runner.folders,
    name: options.name ?? config().runner.name ?? hostname(),
    host: hostname(),
    version: VERSION,
    isShared: () => config().runner.isShared ?? options.isShared,
    maxSessions: () => config().runner.maxSessions,
    idleMinutes: () => config().runner.idleMinutes,
    retry: options.retry,
    onWork: options.onWork,
    whyWaiting: options.whyWaiting,
    log,
  });
  return {
    folder,
    id: runner.id,
    finished: runner.finished,
    get isConnected() {
      return runner.isConnected;
    },
    get liveSessions() {
      return runner.liveSessions;
    },
    get isBusy() {
      return runner.isBusy;
    },
    refresh: () => runner.refresh(),
    async close() {
      await runner.close();
      await backends.close();
    },
  };
}

/** A runner that cannot be opened leaves nothing behind. */
function openOrClose(backends: AgentBackends, options: RunnerOptions): Runner {
  try {
    return openRunner(options);
  } catch (error) {
    void backends.close().catch(() => {}); // Nothing was started.
    throw error;
  }
}
