import { DragomanError, type HubSession, isRoleAtLeast } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import { tellRemoved } from '../channels/tell-removed.ts';
import type { HubParts } from '../hub-parts.ts';
import type { SessionChange } from '../log/session-change.ts';
import { giveCommand, type StoredCommand, toSessionSpec } from '../runners/give-command.ts';
import { closeWhileAway, isAway } from './end-while-away.ts';
import { checkMayActIn, getSession } from './find-session.ts';
import { tellSessionRemoved } from './tell-change.ts';
import { toActor } from './to-actor.ts';

/**
 * Ends the agent of a session, and takes back what waits for it. The next prompt starts it again. Where the machine is away,
 * the session is closed here and now, and its agent when the machine is back.
 */
export async function closeSession(parts: HubParts, caller: Caller, sessionId: string): Promise<HubSession> {
  await parts.log.change(sessionId, async (change) => {
    await checkMayActIn(caller, change);
    await withdrawQueued(parts, caller, change);
    if (await isAway(parts, change)) await closeWhileAway(parts, change, toActor(caller));
    else await giveCommand(parts, change, { type: 'close', isRemoved: false });
  });
  return getSession(parts, caller, sessionId);
}

/** Takes back what waits in a session. */
export async function withdrawQueued(parts: HubParts, caller: Caller, change: SessionChange): Promise<void> {
  const queued = await change.db
    .selectFrom('hub_prompts')
    .select('id')
    .where('session_id', '=', change.session.id)
    .where('state', '=', 'queued')
    .orderBy('created_at')
    .execute();
  const by = toActor(caller);
  await change.append(
    queued.map(({ id }) => ({ at: parts.now(), event: { type: 'prompt-withdrawn', promptId: id, by } })),
  );
}

/** Deletes a session with everything that was said in it, and tells its machine to clean up. */
export async function removeSession(parts: HubParts, caller: Caller, sessionId: string): Promise<void> {
  await parts.log.change(sessionId, async (change) => {
    const { db, session } = change;
    if (session.by_user_id !== caller.userId && !isRoleAtLeast(caller.role, 'admin'))
      throw new DragomanError('forbidden', 'A session is deleted by who started it, or by an admin.');
    await dropCommands(change);
    await giveCommand(parts, change, { type: 'close', isRemoved: true });
    await tellRemoved(parts, change, caller.userName);
    await db.deleteFrom('hub_sessions').where('id', '=', sessionId).execute();
    change.afterCommit(() => {
      parts.feed.remove(sessionId);
      tellSessionRemoved(parts, sessionId);
    });
  });
}

/** What the machine was still to do is no longer wanted. Commands have numbers without gaps, so they are replaced. */
async function dropCommands({ db, session }: SessionChange): Promise<void> {
  const nothing: StoredCommand = { session: toSessionSpec(session), command: { type: 'close', isRemoved: true } };
  await db
    .updateTable('hub_commands')
    .set({ command_json: JSON.stringify(nothing) })
    .where('runner_id', '=', session.runner_id)
    .where('session_id', '=', session.id)
    .execute();
}
