import type { MachineReport, ProgramFinding } from '@dragoman/agent';
import { type Finding, find } from './finding.ts';
import { formatMoment } from './format-moment.ts';
import type { StoreReader } from './read-store.ts';
import type { DragomanConfig } from './rooms.ts';

/** What the agent works with: programs of this machine, servers of the configuration, and the sessions it has kept. */
export async function examineAgent(readStore: StoreReader, config: DragomanConfig | undefined): Promise<Finding[]> {
  const { examineMachine } = await import('@dragoman/agent');
  const [machine, sessions] = await Promise.all([
    examineMachine(),
    find('sessions', () => describeSessions(readStore)),
  ]);
  return [...describeMachine(machine, config), describeServers(config), sessions];
}

/** Without git and without a sandbox one can work; without ripgrep, or with a sandbox that is asked for, one cannot. */
function describeMachine({ git, ripgrep, sandbox }: MachineReport, config: DragomanConfig | undefined): Finding[] {
  const isSandboxNeeded = config?.agent.bash.sandbox === true;
  return [program('git', git, false), program('ripgrep', ripgrep, true), program('sandbox', sandbox, isSandboxNeeded)];
}

function program(subject: string, found: ProgramFinding, isNeeded: boolean): Finding {
  const isThere = 'path' in found;
  return { subject, isWell: isThere || !isNeeded, says: isThere ? found.path : found.problem };
}

function describeServers(config: DragomanConfig | undefined): Finding {
  const servers = Object.values(config?.mcp ?? {});
  const off = servers.filter(({ enabled }) => !enabled).length;
  const says =
    servers.length === 0
      ? 'none set up'
      : `${servers.length} set up${off === 0 ? '' : `, ${off} of them switched off`}`;
  return { subject: 'MCP servers', isWell: true, says };
}

async function describeSessions(readStore: StoreReader): Promise<string> {
  const { SessionStore } = await import('@dragoman/agent');
  const { count, updatedAt } = (await readStore((store) => new SessionStore(store).summary())) ?? {
    count: 0,
  };
  return updatedAt === undefined ? `${count} stored` : `${count} stored, last used ${formatMoment(updatedAt)}`;
}
