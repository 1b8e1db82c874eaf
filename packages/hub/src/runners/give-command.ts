import type { RunnerCommand, SessionSpec } from '@dragoman/protocol';
import type { HubParts } from '../hub-parts.ts';
import type { SessionChange, SessionRow } from '../log/session-change.ts';

/** A command as it is stored. What a prompt says is read when it is sent, from the prompt's own row. */
export interface StoredCommand {
  session: SessionSpec;
  command: RunnerCommand;
}

/**
 * Gives a command the next number of its runner, in the transaction of what made it necessary. Says which; nothing where the
 * machine is not known any more.
 */
export async function giveCommand(
  { feed }: Pick<HubParts, 'feed'>,
  change: SessionChange,
  command: RunnerCommand,
): Promise<number | undefined> {
  const { db, session } = change;
  const runnerId = session.runner_id; // The session may go to another one before the commit.
  const runner = await db
    .updateTable('hub_runners')
    .set((row) => ({ commanded: row('commanded', '+', 1) }))
    .where('id', '=', runnerId)
    .returning('commanded')
    .executeTakeFirst();
  if (runner === undefined) return undefined; // The machine is gone for good, and nobody would ever carry it out.
  await db
    .insertInto('hub_commands')
    .values({
      runner_id: runnerId,
      number: runner.commanded,
      session_id: session.id,
      command_json: JSON.stringify({ session: toSessionSpec(session), command } satisfies StoredCommand),
    })
    .execute();
  change.afterCommit(() => feed.tell('commands', runnerId));
  return runner.commanded;
}

/** What a runner needs to know of a session to open it. */
export function toSessionSpec(session: Readonly<SessionRow>): SessionSpec {
  return {
    sessionId: session.id,
    agent: session.agent,
    folder: session.folder,
    ...(session.is_named === 1 && { title: session.title }),
    ...(session.worktree === 1 && { worktree: true }),
    ...(session.cwd !== null && { cwd: session.cwd }),
    ...(session.model !== null && { model: session.model }),
    ...(session.mode !== null && { mode: session.mode }),
    ...(session.agent_session_id !== null && { agentSessionId: session.agent_session_id }),
  };
}
