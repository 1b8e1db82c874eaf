import type { SessionView, ShownApproval, ShownMessage, ShownTurn } from '../session-view.ts';
import type { Row } from './row.ts';
import { turnRows, type TurnPart } from './turn-rows.ts';
import { callReader, isSameList, type ViewCalls } from './view-calls.ts';

/** The rows of a view. */
export function rowsOf(view: SessionView): readonly Row[] {
  return rowMaker()(view);
}

/** A turn, or what was said between two of them, in rows. */
export interface SessionPart extends TurnPart {
  /** The same for as long as the part is there. */
  key: string;
  /** The turn it belongs to; also while that runs. */
  turnId: string | undefined;
  /** Where in the log it begins. */
  since: number;
  rows: readonly Row[];
}

interface KnownPart extends SessionPart {
  /** The calls and questions that it shows, as they were: they change while its messages do not. */
  used: readonly unknown[];
}

/**
 * Makes the rows of one view after another of the same session. What did not change is the same row as before, so that a
 * piece of text that comes in costs what its own turn costs, however long the session is.
 */
export function rowMaker(): (view: SessionView) => readonly Row[] {
  const makeParts = partMaker();
  let parts: readonly SessionPart[] = [];
  let rows: readonly Row[] = [];
  return (view) => {
    const next = makeParts(view);
    if (next !== parts) rows = next.flatMap((part) => part.rows);
    parts = next;
    return rows;
  };
}

/** The same, turn by turn; where nothing changed, it is the very same list. */
export function partMaker(): (view: SessionView) => readonly SessionPart[] {
  const readCalls = callReader();
  let calls: ViewCalls | undefined;
  let shownApprovals: SessionView['approvals'] = [];
  let approvals: ReadonlyMap<string, ShownApproval> = new Map();
  let parts: ReadonlyMap<string, KnownPart> = new Map();
  let list: readonly SessionPart[] = [];
  return (view) => {
    const found = readCalls(view);
    const isUsedSame = found === calls && shownApprovals === view.approvals;
    if (shownApprovals !== view.approvals)
      approvals = new Map(view.approvals.map((approval) => [approval.id, approval]));
    [calls, shownApprovals] = [found, view.approvals];
    let isSame = true;
    const next = partsOf(view).map((part): KnownPart => {
      const old = parts.get(part.key);
      if (old !== undefined && isUsedSame && isSamePart(old, part)) return old;
      const used = usedBy(part, found, approvals);
      if (old !== undefined && isSamePart(old, part) && isSameList(old.used, used)) return old;
      isSame = false;
      return { ...part, used, rows: turnRows(part, found, approvals) };
    });
    if (!isSame || next.length !== parts.size) {
      parts = new Map(next.map((part) => [part.key, part]));
      list = next;
    }
    return list;
  };
}

/** A session in its turns, and what was said between them. */
function partsOf({ messages, turns }: SessionView): Omit<SessionPart, 'rows'>[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const parts: { messages: ShownMessage[]; turnId: string | undefined; since: number }[] = [];
  for (const message of messages) {
    const last = parts.at(-1);
    if (last !== undefined && last.turnId === message.turnId) last.messages.push(message);
    else parts.push({ messages: [message], turnId: message.turnId, since: message.since });
  }
  const spoken = new Set(parts.map(({ turnId }) => turnId));
  // A turn in which nothing was said may have ended in a way that people should know.
  for (const { id, since, reason } of turns)
    if (!spoken.has(id) && reason !== undefined && reason !== 'done') parts.push({ messages: [], turnId: id, since });
  parts.sort((one, other) => one.since - other.since);
  const lastOf = new Map(parts.map(({ turnId }, index) => [turnId, index]));
  return parts.map(({ messages: said, turnId, since }, index) => ({
    key: said[0]?.id ?? turnId ?? '',
    turnId,
    since,
    messages: said,
    turn: turnId !== undefined && lastOf.get(turnId) === index ? byId.get(turnId) : undefined,
  }));
}

function usedBy(
  { messages }: TurnPart,
  { calls }: ViewCalls,
  approvals: ReadonlyMap<string, ShownApproval>,
): unknown[] {
  const used: unknown[] = [];
  for (const { blocks } of messages)
    for (const { block } of blocks) {
      if (block.type === 'tool_use') used.push(calls.get(block.id));
      else if (block.type === 'tool_result') used.push(calls.get(block.tool_use_id));
      else if (block.type === 'approval') used.push(approvals.get(block.id));
    }
  return used;
}

function isSamePart(old: KnownPart, part: TurnPart): boolean {
  return isSameList(old.messages, part.messages) && overTurn(old.turn) === overTurn(part.turn);
}

/** A turn that runs shows nothing of itself among the rows. */
function overTurn(turn: ShownTurn | undefined): ShownTurn | undefined {
  return turn?.finishedAt === undefined ? undefined : turn;
}
