import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type AgentOffer, describeFault, DragomanError, type Fault } from '@dragoman/protocol';
import type { Finding } from './finding.ts';
import type { Places } from './load-setup.ts';
import { type DragomanConfig, dragomanConfigSchema } from './rooms.ts';

/** The agents of this machine as a hub would be told of them. */
export interface HostedAgentsReport {
  findings: Finding[];
  agents: AgentOffer[];
}

/** Looks which agents can be started here. One that is not installed is no trouble, unless the configuration names it. */
export async function examineHostedAgents(
  { folder, source }: Pick<Places, 'folder' | 'source'>,
  given: DragomanConfig | undefined,
): Promise<HostedAgentsReport> {
  const [{ AgentList, PRESETS }, { agentBackends }] = await Promise.all([
    import('@dragoman/runner'),
    import('./agent-backends.ts'),
  ]);
  const config = given ?? dragomanConfigSchema.parse({});
  const nothing = () =>
    Promise.reject(new DragomanError('unavailable', 'Nothing is started while things are examined.'));
  const log = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const backends = agentBackends({
    openStore: nothing,
    setup: { folder, source },
    config: () => config,
    codeSearch: nothing,
    log,
  });
  try {
    const { registry, configured } = backends;
    const agents = await new AgentList({ registry, configured, presets: PRESETS, folder: folder.path, log }).offers();
    const ready = agents.filter(({ problem }) => problem === undefined).map(({ name }) => name);
    const wrong = agents.filter(({ name, problem }) => problem !== undefined && Object.hasOwn(config.agents, name));
    return {
      agents,
      findings: [
        {
          subject: 'agents',
          isWell: true,
          says: `${ready.length} of ${agents.length} ready: ${ready.join(', ')}`,
        },
        ...examineFolders(config.runner.folders),
        ...wrong.map(({ name, problem }) => ({
          subject: `agent ${name}`,
          isWell: false,
          says: describeFault(problem!),
        })),
      ],
    };
  } finally {
    await backends.close();
  }
}

/** Where agents may work. A folder that is missing is no mistake at a start: its disk may come back. */
function examineFolders(folders: readonly string[]): Finding[] {
  if (folders.length === 0) return [];
  const missing = folders.filter((path) => statSync(atHome(path), { throwIfNoEntry: false })?.isDirectory() !== true);
  const says =
    missing.length === 0
      ? `agents may work in ${folders.join(', ')}`
      : `runner.folders: ${missing.join(', ')} does not exist or is not a folder`;
  return [{ subject: 'folders', isWell: missing.length === 0, says }];
}

function atHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}

/** What to do before an agent can be started here, in a few words. */
export function whatItNeeds(problem: Fault | undefined): string {
  return problem === undefined ? 'ready' : (problem.fix ?? problem.message);
}
