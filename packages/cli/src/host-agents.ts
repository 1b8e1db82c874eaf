import { hostname } from 'node:os';
import { join } from 'node:path';
import type { HubLink } from '@dragoman/protocol';
import { openRunner, PRESETS, type Runner, type RunnerOptions } from '@dragoman/runner';
import { agentBackends, type AgentBackends, type AgentBackendsOptions } from './agent-backends.ts';
import { VERSION } from './version.ts';

/** Where the agents of this process answer to, and who may use them where the configuration says nothing. */
export interface HostAgentsOptions extends AgentBackendsOptions {
  link: HubLink;
  /** A hub elsewhere, by its address. What waits for one hub is never handed to another. */
  hubUrl: string | undefined;
  /** What the machine is called where the configuration says nothing. */
  name?: string | undefined;
  isShared: boolean;
}

/** Hosts every kind of agent for a hub, beside the files of this machine. */
export function hostAgents(options: HostAgentsOptions): Pick<Runner, 'finished' | 'id' | 'refresh' | 'close'> {
  const { setup, config, link, log } = options;
  const backends = agentBackends(options);
  const runner = openOrClose(backends, {
    folder: join(setup.folder.path, 'runner', placeOf(options.hubUrl)),
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
    log,
  });
  return {
    id: runner.id,
    finished: runner.finished,
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

/** A folder for each hub that this machine answers to: its outbox and its worktrees are between the two. */
function placeOf(hubUrl: string | undefined): string {
  return hubUrl === undefined ? 'server' : new URL(hubUrl).host.replaceAll(/[^\w.-]/g, '_');
}
