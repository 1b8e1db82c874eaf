import { DragomanError } from '@dragoman/protocol';
import type { HubParts } from '../hub-parts.ts';
import type { SessionChange } from '../log/session-change.ts';
import type { StoredCommand } from '../runners/give-command.ts';
import { sendNext } from './move-queue.ts';
import { sentPrompts } from './sent-prompts.ts';

/** Sends what waits in the sessions of a runner that is there: kept back while it was away, or lost on the way. */
export async function sendWaitingPrompts(parts: HubParts, runnerId: string): Promise<void> {
  const sessions = await parts.db
    .selectFrom('hub_prompts')
    .innerJoin('hub_sessions', 'hub_sessions.id', 'hub_prompts.session_id')
    .select('hub_sessions.id')
    .distinct()
    .where('hub_sessions.runner_id', '=', runnerId)
    .where('hub_sessions.turn_id', 'is', null)
    .where('hub_prompts.state', 'in', ['queued', 'sent'])
    .execute();
  for (const { id } of sessions) {
    try {
      await parts.log.change(id, (change) => settleQueue(parts, change));
    } catch (error) {
      if (!(error instanceof DragomanError && error.code === 'not-found')) throw error;
    }
  }
}

/**
 * Looks after prompts that were handed over and never taken up, although the runner says that it did what it was told.
 * With an agent that cannot be started such a prompt is taken back, and people see why; else it is sent again.
 */
export async function settleQueue(parts: HubParts, change: SessionChange): Promise<void> {
  const { db, session } = change;
  if (session.turn_id !== null) return;
  const sent = await sentPrompts(db, session.id);
  const onTheWay = sent.length === 0 ? new Set() : await promptsOnTheWay(change);
  for (const id of sent) {
    if (onTheWay.has(id)) continue;
    if (session.agent_state === 'failed')
      await change.append([
        { at: parts.now(), event: { type: 'prompt-withdrawn', promptId: id, by: { type: 'runner' } } },
      ]);
    else
      await db
        .updateTable('hub_prompts')
        .set({ state: 'queued' })
        .where('session_id', '=', session.id)
        .where('id', '=', id)
        .execute();
  }
  await sendNext(parts, change);
}

/** Prompts whose command was not carried out yet. */
async function promptsOnTheWay({ db, session }: SessionChange): Promise<Set<string>> {
  const rows = await db
    .selectFrom('hub_commands')
    .innerJoin('hub_runners', 'hub_runners.id', 'hub_commands.runner_id')
    .select('command_json')
    .where('hub_commands.session_id', '=', session.id)
    .whereRef('hub_commands.number', '>', 'hub_runners.handled')
    .execute();
  const commands = rows.map((row) => (JSON.parse(row.command_json) as StoredCommand).command);
  return new Set(
    commands.flatMap((command) => (command.type === 'prompt' || command.type === 'steer' ? [command.prompt.id] : [])),
  );
}
