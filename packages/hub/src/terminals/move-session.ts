import type { HubParts } from '../hub-parts.ts';
import { settleQueue } from '../inbox/send-waiting-prompts.ts';
import type { SessionChange } from '../log/session-change.ts';
import { giveCommand, type StoredCommand, toSessionSpec } from '../runners/give-command.ts';

/**
 * Hands a session to another runner of the same machine. The one that had it closes its agent; a turn that it left is
 * told as interrupted, and prompts that it did not take up go to the new one.
 */
export async function moveSession(parts: HubParts, change: SessionChange, runnerId: string): Promise<void> {
  const { session, db } = change;
  if (session.runner_id === runnerId) return;
  const close: StoredCommand = { session: toSessionSpec(session), command: { type: 'close', isRemoved: false } };
  // Commands have numbers without gaps, so those that are not wanted any more are replaced.
  await db
    .updateTable('hub_commands')
    .set({ command_json: JSON.stringify(close) })
    .where('runner_id', '=', session.runner_id)
    .where('session_id', '=', session.id)
    .execute();
  await giveCommand(parts, change, close.command);
  await change.set({ runner_id: runnerId });
  const at = parts.now();
  const { turn_id: turnId, agent_state: state } = session;
  await change.append([
    ...(turnId === null ? [] : [{ at, event: { type: 'turn-finished', turnId, reason: 'interrupted' } } as const]),
    ...(state === 'ready' || state === 'starting'
      ? [{ at, event: { type: 'agent-state', state: 'stopped' } } as const]
      : []),
  ]);
  await settleQueue(parts, change);
}
