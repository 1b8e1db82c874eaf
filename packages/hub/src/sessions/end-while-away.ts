import { type Actor, DragomanError } from '@dragoman/protocol';
import type { HubParts } from '../hub-parts.ts';
import { sentPrompts } from '../inbox/sent-prompts.ts';
import type { SessionChange } from '../log/session-change.ts';
import { giveCommand, type StoredCommand, toSessionSpec } from '../runners/give-command.ts';

/**
 * Ends in the hub what a machine that is away was doing in a session: it may never come back, and nobody else would. The
 * machine is told by a command when it does; what it says until then is late (`late-events.ts`).
 */
export async function endTurnWhileAway(
  parts: HubParts,
  change: SessionChange,
  by: Actor,
): Promise<{ turnId?: string }> {
  const { turn_id: turnId } = change.session;
  if (turnId !== null) await giveCommand(parts, change, { type: 'cancel', turnId });
  await takeBackSent(parts, change, by);
  await endTurn(parts, change);
  return turnId === null ? {} : { turnId };
}

/** The same for the whole session, with its agent. What waits for it must have been taken back before. */
export async function closeWhileAway(parts: HubParts, change: SessionChange, by: Actor): Promise<void> {
  await takeBackSent(parts, change, by);
  const number = await giveCommand(parts, change, { type: 'close', isRemoved: false });
  await change.set({ closed_number: number ?? null });
  await endTurn(parts, change);
  const { agent_state: state } = change.session;
  if (state === 'ready' || state === 'starting')
    await change.append([{ at: parts.now(), event: { type: 'agent-state', state: 'stopped' } }]);
}

/**
 * Ends in the hub what a machine was told to end and did not hear of before it went away. It is told the same again when it
 * is back: nobody knows which of the commands it has carried out.
 */
export async function endUnheard(parts: HubParts, runnerId: string): Promise<void> {
  const rows = await parts.db
    .selectFrom('hub_commands')
    .select(['session_id', 'command_json'])
    .where('runner_id', '=', runnerId)
    .orderBy('number')
    .execute();
  for (const { session_id: sessionId, command_json } of rows) {
    const { command } = JSON.parse(command_json) as StoredCommand;
    if (command.type !== 'cancel' && command.type !== 'close') continue;
    try {
      await parts.log.change(sessionId, async (change) => {
        const { session } = change;
        if (session.runner_id !== runnerId || !(await isAway(parts, change))) return;
        const by = { type: 'runner' } as const;
        if (command.type === 'close' && session.agent_state !== 'stopped') await closeWhileAway(parts, change, by);
        else if (command.type === 'cancel' && command.turnId === session.turn_id) await endTurn(parts, change);
      });
    } catch (error) {
      if (!(error instanceof DragomanError && error.code === 'not-found')) throw error;
    }
  }
}

/** Whether the machine of a session is not connected; also where it is not known any more. */
export async function isAway(
  { presence }: Pick<HubParts, 'presence'>,
  { db, session }: Pick<SessionChange, 'db' | 'session'>,
): Promise<boolean> {
  const runner = await db
    .selectFrom('hub_runners')
    .select(['id', 'last_seen_at', 'connected_to'])
    .where('id', '=', session.runner_id)
    .executeTakeFirst();
  return runner === undefined || !presence.isConnected(runner);
}

async function endTurn(parts: HubParts, change: SessionChange): Promise<void> {
  const { turn_id: turnId } = change.session;
  if (turnId === null) return;
  await change.set({ ended_turn_id: turnId });
  await change.append([{ at: parts.now(), event: { type: 'turn-finished', turnId, reason: 'cancelled' } }]);
}

/**
 * Takes back prompts that were handed over and not begun, as far as is known. A machine that never got such a prompt gets
 * nothing in its place; one that did is told to end it.
 */
async function takeBackSent(parts: HubParts, change: SessionChange, by: Actor): Promise<void> {
  const { db, session } = change;
  const sent = await sentPrompts(db, session.id);
  if (sent.length === 0) return;
  const rows = await db
    .selectFrom('hub_commands')
    .select(['number', 'command_json'])
    .where('runner_id', '=', session.runner_id)
    .where('session_id', '=', session.id)
    .execute();
  for (const promptId of sent) {
    const cancel = { type: 'cancel', promptId } as const;
    const instead: StoredCommand = { session: toSessionSpec(session), command: cancel };
    // Commands have numbers without gaps, so one that is not wanted any more is replaced.
    for (const { number, command_json } of rows) {
      const { command } = JSON.parse(command_json) as StoredCommand;
      if ((command.type !== 'prompt' && command.type !== 'steer') || command.prompt.id !== promptId) continue;
      await db
        .updateTable('hub_commands')
        .set({ command_json: JSON.stringify(instead) })
        .where('runner_id', '=', session.runner_id)
        .where('number', '=', number)
        .execute();
    }
    await giveCommand(parts, change, cancel);
  }
  await change.append(sent.map((promptId) => ({ at: parts.now(), event: { type: 'prompt-withdrawn', promptId, by } })));
}
