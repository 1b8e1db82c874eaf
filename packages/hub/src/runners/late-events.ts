import type { HubEvent, HubEventOf, PromptBlock } from '@dragoman/protocol';
import type { LockedSession } from '../log/locked-session.ts';
import type { NewEvent } from '../log/session-change.ts';

/** An event of a runner, and the last command that it had carried out by then. */
export interface HeardEvent extends NewEvent {
  handled: number;
}

/**
 * What a machine tells of a session that was stopped or closed in the hub while it was away (`end-while-away.ts`).
 *
 * Its agent did not know and worked on, so what it said and did is kept. But what was ended stays ended: no turn of it
 * runs again, fails or asks anything, and an agent that was closed is not shown as ready until it really is opened again.
 */
export async function settleLateEvents(session: LockedSession, events: readonly HeardEvent[]): Promise<NewEvent[]> {
  const settled: NewEvent[] = [];
  for (const { at, event, handled } of events)
    if ('blockId' in event) settled.push({ at, event });
    else settled.push(...(await settleLate(session, { at, event }, handled)));
  return settled;
}

async function settleLate(session: LockedSession, { at, event }: NewEvent, handled: number): Promise<NewEvent[]> {
  const { ended_turn_id: endedTurnId, closed_number: closedNumber } = session.session;
  const isClosed = closedNumber !== null && handled < closedNumber;
  if (closedNumber !== null && !isClosed) await session.set({ closed_number: null });
  const isOver = isClosed || endedTurnId !== null;
  switch (event.type) {
    case 'turn-started': {
      const withdrawn = await findWithdrawn(session, event.promptId);
      const ended = isClosed || withdrawn !== undefined ? event.turnId : null;
      if (ended !== endedTurnId) await session.set({ ended_turn_id: ended });
      return ended === null
        ? [{ at, event }]
        : beginAndEnd(event, withdrawn ?? []).map((each) => ({ at, event: each }));
    }
    case 'turn-finished':
      if (event.turnId !== endedTurnId) return [{ at, event }];
      await session.set({ ended_turn_id: null });
      return [];
    case 'approval-asked':
      return isOver ? [] : [{ at, event }];
    case 'agent-state': {
      if (!isClosed) return [{ at, event }];
      const { type, cwd, branch } = event;
      if (cwd === undefined && branch === undefined) return [];
      return [{ at, event: { type, state: 'stopped', cwd, branch } }];
    }
    default:
      return [{ at, event }];
  }
}

/** What a prompt says that was taken back in the hub, and begun by the machine all the same. */
async function findWithdrawn(
  { db, session }: LockedSession,
  promptId: string | undefined,
): Promise<PromptBlock[] | undefined> {
  if (promptId === undefined) return undefined;
  const row = await db
    .selectFrom('hub_prompts')
    .select(['state', 'content_json'])
    .where('session_id', '=', session.id)
    .where('id', '=', promptId)
    .executeTakeFirst();
  return row?.state === 'withdrawn' ? (JSON.parse(row.content_json) as PromptBlock[]) : undefined;
}

/** A turn that is over from its beginning. Its prompt left the queue before, so it is shown by its blocks. */
function beginAndEnd(
  { turnId, promptId = turnId }: HubEventOf<'turn-started'>,
  content: readonly PromptBlock[],
): HubEvent[] {
  return [
    { type: 'turn-started', turnId },
    ...content.map((block, index) => ({
      type: 'block-stop' as const,
      messageId: promptId,
      role: 'user' as const,
      blockId: `${promptId}.${index}`,
      block,
    })),
    { type: 'turn-finished', turnId, reason: 'cancelled' },
  ];
}
