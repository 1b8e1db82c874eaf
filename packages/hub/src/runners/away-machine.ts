import { type AgentOffer, describeFault, DragomanError, type MachineAway } from '@dragoman/protocol';
import type { HubParts } from '../hub-parts.ts';
import type { RunnerRow } from './runner-access.ts';

/** A hub that was opened just now has not heard of its machines yet, however long they were there before. */
const FIRST_MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

type Parts = Pick<HubParts, 'presence' | 'config' | 'now'>;
type Machine = Pick<RunnerRow, 'id' | 'name' | 'last_seen_at' | 'connected_to' | 'forgotten_at'>;

/** How a machine is away; nothing where it is connected. */
export function awayOf({ presence, config, now }: Parts, runner: Machine): MachineAway | undefined {
  if (presence.isConnected(runner)) return undefined;
  const isGone =
    now() - runner.last_seen_at > config().hub.goneAfterHours * HOUR_MS && now() - presence.openedAt > FIRST_MINUTE_MS;
  const state = runner.forgotten_at !== null ? 'forgotten' : isGone ? 'gone' : 'away';
  return { machine: runner.name, since: runner.last_seen_at, state };
}

/** Work for a machine that is gone is refused. */
export class MachineGoneError extends DragomanError {
  readonly away: MachineAway;

  constructor(away: MachineAway) {
    super('conflict', describeGone(away));
    this.away = away;
  }
}

/** Refuses work for a machine that will hardly do it: one that is gone for long or was removed, or whose disk is full. */
export function checkTakesWork(parts: Parts, runner: Machine & Pick<RunnerRow, 'agents_json'>): void {
  const away = awayOf(parts, runner);
  if (away === undefined) return checkKeepsWhatIsDone(runner);
  if (away.state !== 'away') throw new MachineGoneError(away);
}

/** Refuses to ask something of a machine that is away, which can pass where it is not gone. */
export function checkConnected(parts: Parts, runner: Machine): void {
  const away = awayOf(parts, runner);
  if (away === undefined) return;
  if (away.state !== 'away') throw new MachineGoneError(away);
  throw new DragomanError('unavailable', `The machine ${away.machine} is not connected; start its runner again.`, {
    isRetryable: true,
  });
}

/** A machine that can keep nothing says so of its agents, and carries nothing out until it connects anew. */
function checkKeepsWhatIsDone({ name, agents_json }: Pick<RunnerRow, 'name' | 'agents_json'>): void {
  const problems = (JSON.parse(agents_json) as AgentOffer[]).map(({ problem }) => problem);
  const full = problems.find((problem) => problem?.code === 'data-folder');
  if (full !== undefined)
    throw new DragomanError('conflict', `The machine ${name} cannot work at the moment: ${describeFault(full)}`);
}

function describeGone({ machine, since, state }: MachineAway): string {
  if (state === 'forgotten')
    return `The machine ${machine} was removed, so its sessions can only be read. Move the session to another machine to continue.`;
  const moment = new Date(since).toISOString().replace('T', ' ').slice(0, 16);
  return `The machine ${machine} has been offline since ${moment} UTC. Start its runner again, or move the session to another machine.`;
}
