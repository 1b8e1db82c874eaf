import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type BackendCapabilities,
  DragomanError,
  type HubEvent,
  type HubSession,
  type HubSessionInfo,
  type LoggedHubEvent,
  newId,
} from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import { sql } from 'kysely';
import type { HubParts } from '../hub-parts.ts';
import type { SessionRow } from '../log/session-change.ts';
import { isTakenOut, readTakenOut } from '../log/taken-out.ts';
import { checkTakesWork } from '../runners/away-machine.ts';
import { giveCommand } from '../runners/give-command.ts';
import { findRunner } from '../runners/runner-access.ts';
import { checkMayActIn, findSession, getSession } from './find-session.ts';
import { toActor } from './to-actor.ts';

const PAGE = 2_000;
/** Longer than sessions of people get. */
const MOST_BYTES = 20_000_000;

/**
 * Starts a session that knows what another one says, up to a message of it or to its end. The log is
 * copied, and what was open at that point is closed in the copy; the agent makes the same of its own memory.
 */
export async function forkSession(
  parts: HubParts,
  caller: Caller,
  sessionId: string,
  { beforeMessageId, title }: { beforeMessageId?: string | undefined; title?: string | undefined },
): Promise<HubSession> {
  const source = await findSession(parts, sessionId);
  await checkMayActIn(caller, { db: parts.db, session: source });
  checkTakesWork(parts, await findRunner(parts.db, source.runner_id));
  const agentSessionId = checkCanFork(source);
  const { throughSeq, open } = await findCut(parts, source, beforeMessageId);
  await checkLength(parts, sessionId, throughSeq);

  const info: HubSessionInfo = {
    id: newId('ses'),
    title: title ?? source.title,
    ...((title !== undefined || source.is_named === 1) && { isNamed: true }),
    agent: source.agent,
    runnerId: source.runner_id,
    folder: source.folder,
    ...(source.worktree === 1 && { worktree: true }),
    ...(source.model !== null && { model: source.model }),
    ...(source.mode !== null && { mode: source.mode }),
    forkedFrom: { sessionId, seq: throughSeq },
    by: toActor(caller),
  };
  await parts.log.create(info, {
    byUserId: caller.userId,
    at: parts.now(),
    work: async (change) => {
      await parts.log.copy({ sessionId, throughSeq }, change);
      await change.append(closing(open, toActor(caller)).map((event) => ({ at: parts.now(), event })));
      await change.set({ capabilities_json: source.capabilities_json });
      await giveCommand(parts, change, {
        type: 'fork',
        agentSessionId,
        ...(beforeMessageId !== undefined && { beforeMessageId }),
      });
    },
  });
  return getSession(parts, caller, info.id);
}

function checkCanFork(source: SessionRow): string {
  const { fork } = JSON.parse(source.capabilities_json) as BackendCapabilities;
  if (fork !== true) throw new DragomanError('bad-request', `The agent ${source.agent} cannot fork a session.`);
  if (source.agent_session_id === null)
    throw new DragomanError('conflict', 'This session has nothing to fork yet; send it a prompt first.');
  return source.agent_session_id;
}

/** The copy is one transaction, and nothing else is stored while it is made. */
async function checkLength({ db }: HubParts, sessionId: string, throughSeq: number): Promise<void> {
  const { bytes } = await db
    .selectFrom('hub_events')
    .select(sql<number | string | null>`sum(octet_length(event))`.as('bytes'))
    .where('session_id', '=', sessionId)
    .where('seq', '<=', throughSeq)
    .executeTakeFirstOrThrow();
  if (Number(bytes) > MOST_BYTES)
    throw new DragomanError(
      'too-large',
      `This session has ${Math.round(Number(bytes) / 1_000_000)} MB, and ${MOST_BYTES / 1_000_000} MB can be forked. Fork it before an earlier message.`,
    );
}

/** What is open at a point of a log. */
interface OpenThings {
  prompts: Set<string>;
  approvals: Set<string>;
  turnId: string | undefined;
}

/** The number of the last event that comes along, and what is open behind it. */
async function findCut(
  { db, log }: HubParts,
  source: SessionRow,
  beforeMessageId: string | undefined,
): Promise<{ throughSeq: number; open: OpenThings }> {
  const open: OpenThings = { prompts: new Set(), approvals: new Set(), turnId: undefined };
  const takenOut = await readTakenOut(db, source.id);
  for (let throughSeq = 0; ;) {
    const { events, isLast } = await log.readPage(source.id, throughSeq, PAGE);
    for (const logged of events) {
      if (beforeMessageId !== undefined && begins(logged, beforeMessageId) && !isTakenOut(takenOut, logged))
        return { throughSeq, open };
      noteOpen(open, logged.event);
      throughSeq = logged.seq;
    }
    await nextTurn();
    if (!isLast) continue;
    if (beforeMessageId === undefined) return { throughSeq, open };
    throw new DragomanError(
      'not-found',
      `There is no message ${JSON.stringify(beforeMessageId.slice(0, 100))} in this session.`,
    );
  }
}

/** A prompt is a message from the moment it is taken up. */
function begins({ event }: LoggedHubEvent, messageId: string): boolean {
  switch (event.type) {
    case 'turn-started':
    case 'prompt-taken':
      return event.promptId === messageId;
    case 'block-start':
    case 'block-stop':
      return event.messageId === messageId;
    default:
      return false;
  }
}

function noteOpen(open: OpenThings, event: HubEvent): void {
  switch (event.type) {
    case 'prompt-queued':
      open.prompts.add(event.prompt.id);
      return;
    case 'prompt-withdrawn':
    case 'prompt-taken':
      open.prompts.delete(event.promptId);
      return;
    case 'turn-started':
      open.turnId = event.turnId;
      if (event.promptId !== undefined) open.prompts.delete(event.promptId);
      return;
    case 'turn-finished':
      open.turnId = undefined;
      open.approvals.clear();
      return;
    case 'approval-asked':
      open.approvals.add(event.approval.id);
      return;
    case 'approval-decided':
    case 'approval-withdrawn':
      open.approvals.delete(event.approvalId);
      return;
    default: // Nothing else stays open.
  }
}

function closing({ prompts, approvals, turnId }: OpenThings, by: HubSessionInfo['by']): HubEvent[] {
  return [
    ...[...approvals].map((approvalId): HubEvent => ({ type: 'approval-withdrawn', approvalId })),
    ...(turnId === undefined ? [] : [{ type: 'turn-finished' as const, turnId, reason: 'interrupted' as const }]),
    ...[...prompts].map((promptId): HubEvent => ({ type: 'prompt-withdrawn', promptId, by })),
  ];
}
