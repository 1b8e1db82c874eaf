import { DragomanError, type HubSession, newId } from '@dragoman/protocol';
import type { HUB_CALLS } from '@dragoman/protocol/schemas';
import type { Caller } from '@dragoman/server/base';
import type { z } from 'zod';
import type { HubParts } from '../hub-parts.ts';
import { sentPrompts } from '../inbox/sent-prompts.ts';
import type { NewEvent } from '../log/session-change.ts';
import { checkConnected } from '../runners/away-machine.ts';
import { checkMayUseRunner, findRunner } from '../runners/runner-access.ts';
import { changeRunner } from './change-runner.ts';
import { isAway } from './end-while-away.ts';
import { checkFolderIsThere, findFolder } from './find-folder.ts';
import { findOffer } from './find-offer.ts';
import { checkMayActIn, findSession, getSession } from './find-session.ts';
import { toActor } from './to-actor.ts';

/** Where a session is to go. */
export type MoveBody = z.output<(typeof HUB_CALLS)['moveSession']['body']>;

/**
 * Moves a session to another machine, folder or agent. Its agent goes on from its own log where that can be reached from
 * there; else it is given the conversation as the hub knows it, with the next prompt (`tell-conversation.ts`).
 */
export async function moveSession(
  parts: HubParts,
  caller: Caller,
  { sessionId, signal, ...body }: MoveBody & { sessionId: string; signal: AbortSignal },
): Promise<HubSession> {
  const source = await findSession(parts, sessionId);
  await checkMayActIn(caller, { db: parts.db, session: source });
  const runner = await findRunner(parts.db, body.runnerId);
  checkMayUseRunner(caller, runner);
  checkConnected(parts, runner);
  const folder = await findFolder(parts, runner, body.folder ?? source.folder, signal);
  await checkFolderIsThere(parts, runner, folder, signal);
  const offer = await findOffer(parts, runner, body.agent ?? source.agent, signal);

  await parts.log.change(sessionId, async (change) => {
    await checkMayActIn(caller, change);
    const { session, db } = change;
    if (session.runner_id === runner.id && session.folder === folder && session.agent === offer.name) return;
    const sent = await sentPrompts(db, sessionId);
    if ((session.turn_id !== null || sent.length > 0) && !(await isAway(parts, change)))
      throw new DragomanError('conflict', 'The agent is running. Stop it before moving the session.');
    const before = await db
      .selectFrom('hub_runners')
      .select('name')
      .where('id', '=', session.runner_id)
      .executeTakeFirst();
    const isSameAgent = session.agent === offer.name;
    const machine = { runnerId: runner.id, machine: runner.name };
    const isOtherMachine = session.runner_id !== runner.id;
    const at = parts.now();
    const from = {
      runnerId: session.runner_id,
      machine: before?.name ?? session.runner_id,
      // It may hold what was never committed, so no machine deletes it when the session is deleted elsewhere.
      ...(isOtherMachine && session.worktree === 1 && session.cwd !== null && { worktree: session.cwd }),
    };
    await change.append(sent.flatMap((promptId) => begun(promptId, { turnId: session.turn_id, at })));
    await changeRunner(parts, change, {
      runnerId: runner.id,
      columns: {
        agent: offer.name,
        folder,
        cwd: null,
        branch: null,
        capabilities_json: JSON.stringify(offer.capabilities),
        moved_seq: session.seq,
        left_runner_id: isOtherMachine ? session.runner_id : null,
        ...(!isSameAgent && { agent_session_id: null, model: null, mode: null }),
      },
      events: [
        { at, event: { type: 'session-moved', from, ...machine, agent: offer.name, folder, by: toActor(caller) } },
      ],
    });
  });
  return getSession(parts, caller, sessionId);
}

/** A machine that is away may be at work on what it was given, and nothing is done on two. */
function begun(promptId: string, { turnId, at }: { turnId: string | null; at: number }): NewEvent[] {
  if (turnId !== null) return [{ at, event: { type: 'prompt-taken', promptId, turnId } }];
  const id = newId('trn');
  return [
    { at, event: { type: 'turn-started', turnId: id, promptId } },
    { at, event: { type: 'turn-finished', turnId: id, reason: 'interrupted' } },
  ];
}
