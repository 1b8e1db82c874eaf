import type { HubParts } from '../hub-parts.ts';
import { settleQueue } from '../inbox/send-waiting-prompts.ts';
import type { NewEvent, SessionChange, SessionRow } from '../log/session-change.ts';
import { giveCommand, type StoredCommand, toSessionSpec } from '../runners/give-command.ts';

/** What becomes of a session with its new runner. */
interface Arrival {
  runnerId: string;
  columns?: Partial<Omit<SessionRow, 'id' | 'seq' | 'runner_id'>>;
  events?: readonly NewEvent[];
}

/**
 * Hands a session to another runner. The one that had it closes its agent, as soon as it hears of that; what it still says
 * of the session is not taken any more. A turn that it left is told as interrupted, and prompts that it did not take up go to
 * the new one.
 */
export async function changeRunner(
  parts: HubParts,
  change: SessionChange,
  { runnerId, columns = {}, events = [] }: Arrival,
): Promise<void> {
  const { session, db } = change;
  const close: StoredCommand = { session: toSessionSpec(session), command: { type: 'close', isRemoved: false } };
  // Commands have numbers without gaps, so those that are not wanted any more are replaced.
  await db
    .updateTable('hub_commands')
    .set({ command_json: JSON.stringify(close) })
    .where('runner_id', '=', session.runner_id)
    .where('session_id', '=', session.id)
    .execute();
  await giveCommand(parts, change, close.command);
  await change.set({ ...columns, runner_id: runnerId, ended_turn_id: null, closed_number: null });
  const at = parts.now();
  const { turn_id: turnId, agent_state: state } = session;
  await change.append([
    ...(turnId === null ? [] : [{ at, event: { type: 'turn-finished', turnId, reason: 'interrupted' } } as const]),
    ...(state === 'ready' || state === 'starting'
      ? [{ at, event: { type: 'agent-state', state: 'stopped' } } as const]
      : []),
    ...events,
  ]);
  await settleQueue(parts, change);
}
