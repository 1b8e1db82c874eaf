import type { SessionView, ShownApproval, ShownBlock, ShownMessage, ShownTurn } from '../session-view.ts';
import { callKind } from './call-kind.ts';
import { readRetry } from './retry-notice.ts';
import type { Call, Row, RowOf, ShownOf } from './row.ts';
import { isSameList, type ViewCalls } from './view-calls.ts';

/** What was said in a turn, or between two of them. */
export interface TurnPart {
  messages: readonly ShownMessage[];
  /** Where this is the end of a turn that is over. */
  turn: ShownTurn | undefined;
}

/** Blocks, messages and calls that did not change are shared between views; so are their rows. */
const known = new WeakMap<object, Row>();

/** The rows of a part of a session, in the order in which things began. */
export function turnRows(
  { messages, turn }: TurnPart,
  calls: ViewCalls,
  approvals: ReadonlyMap<string, ShownApproval>,
): Row[] {
  const rows: Row[] = [];
  for (const message of messages) {
    if (isPrompt(message))
      rows.push(rowOf(message, () => ({ type: 'prompt', key: message.id, since: message.since, message })));
    else
      for (const shown of message.blocks) {
        const row = blockRow(shown, calls, approvals);
        if (row !== undefined) rows.push(row);
      }
  }
  const shown = groupCalls(withoutOldRetries(lastOfLikeNotices(lastPlanOnly(withoutEcho(inOrder(rows), turn))), turn));
  if (turn?.finishedAt !== undefined) shown.push(endRow(turn, sumUsage(messages)));
  return shown;
}

/** The row of something: the one it had before, unless that says something else. */
function rowOf<Of extends Row>(something: object, make: () => Of, isSame: (row: Of) => boolean = () => true): Of {
  const old = known.get(something) as Of | undefined;
  if (old !== undefined && isSame(old)) return old;
  const row = make();
  known.set(something, row);
  return row;
}

function inOrder(rows: readonly Row[]): readonly Row[] {
  const isOrdered = rows.every(({ since }, index) => index === 0 || rows[index - 1]!.since <= since);
  return isOrdered ? rows : rows.toSorted((one, other) => one.since - other.since);
}

function endRow(turn: ShownTurn, usage: SessionView['usage']): Row {
  const row: RowOf<'turn-end'> = {
    type: 'turn-end',
    key: `end ${turn.id}`,
    since: turn.until ?? turn.since,
    turn,
    usage,
  };
  const isSame = (old: RowOf<'turn-end'>) => SUMS.every((field) => old.usage[field] === usage[field]);
  return rowOf(turn, () => row, isSame);
}

function isPrompt({ role, by, blocks }: ShownMessage): boolean {
  return by !== undefined || (role === 'user' && blocks.some(({ block }) => block.type !== 'tool_result'));
}

function blockRow(
  shown: ShownBlock,
  { calls, parents }: ViewCalls,
  approvals: ReadonlyMap<string, ShownApproval>,
): Row | undefined {
  const base = { key: shown.id, since: shown.since };
  const { block } = shown;
  switch (block.type) {
    case 'text':
      if (isBlank(block.text)) return undefined;
      return rowOf(shown, () => ({ type: 'text', ...base, shown: shown as ShownOf<'text'> }));
    case 'thinking':
      if (isBlank(block.thinking) && !shown.isOpen) return undefined;
      return rowOf(shown, () => ({ type: 'thinking', ...base, shown: shown as ShownOf<'thinking'> }));
    case 'tool_use': {
      const call = calls.get(block.id);
      if (call?.use !== shown || parents.has(block.id)) return undefined;
      return rowOf(call, () => ({ type: 'call', key: `call ${block.id}`, since: shown.since, call }));
    }
    case 'tool_result':
      if (calls.has(block.tool_use_id)) return undefined;
      return rowOf(shown, () => ({ type: 'result', ...base, shown: shown as ShownOf<'tool_result'> }));
    case 'approval': {
      if (block.tool_use_id !== undefined && calls.has(block.tool_use_id)) return undefined;
      const approval = approvals.get(block.id);
      const row: RowOf<'approval'> = { type: 'approval', ...base, shown: shown as ShownOf<'approval'>, approval };
      return rowOf(
        shown,
        () => row,
        (old) => old.approval === approval,
      );
    }
    case 'plan':
      if (block.entries.length === 0) return undefined;
      return rowOf(shown, () => ({ type: 'plan', ...base, shown: shown as ShownOf<'plan'> }));
    case 'image':
    case 'file':
      return rowOf(shown, () => ({ type: 'attachment', ...base, shown: shown as ShownOf<'image' | 'file'> }));
    case 'notice':
      if (isBlank(block.text)) return undefined;
      return rowOf(shown, () => ({ type: 'notice', ...base, shown: shown as ShownOf<'notice'> }));
    case 'error':
      return rowOf(shown, () => ({ type: 'error', ...base, shown: shown as ShownOf<'error'> }));
    default: // What was used is told at the end of the turn; a block of another program's making is passed over.
      return undefined;
  }
}

/** What ended the turn is said at its end, with what helps; not twice. */
function withoutEcho(rows: readonly Row[], turn: ShownTurn | undefined): readonly Row[] {
  const message = turn?.finishedAt === undefined ? undefined : turn.error?.message;
  if (message === undefined || message === '') return rows;
  return rows.filter(
    (row) =>
      !(row.type === 'error' && row.shown.block.message === message) &&
      !(row.type === 'notice' && row.shown.block.text.startsWith(message)),
  );
}

/** A plan that moved on is shown as it is now. */
function lastPlanOnly(rows: readonly Row[]): readonly Row[] {
  const last = rows.findLastIndex(({ type }) => type === 'plan');
  if (last === -1) return rows;
  return rows.filter(({ type }, index) => type !== 'plan' || index === last);
}

/** Notices in a row that differ in a number only, such as the attempts at a call: the last one says it all. */
function lastOfLikeNotices(rows: readonly Row[]): readonly Row[] {
  const noticed = (row: Row | undefined) =>
    row?.type === 'notice' ? row.shown.block.text.replaceAll(/\d+/g, '#') : undefined;
  return rows.filter((row, index) => row.type !== 'notice' || noticed(row) !== noticed(rows[index + 1]));
}

/** That a call is tried again is of use while that is waited for: what came of it follows. */
function withoutOldRetries(rows: readonly Row[], turn: ShownTurn | undefined): readonly Row[] {
  const isOver = turn?.finishedAt !== undefined;
  return rows.filter(
    (row, index) =>
      row.type !== 'notice' || (!isOver && index === rows.length - 1) || readRetry(row.shown.block.text) === undefined,
  );
}

/** Calls in a row that only look at things are one line. */
function groupCalls(rows: readonly Row[]): Row[] {
  const grouped: Row[] = [];
  let run: RowOf<'call'>[] = [];
  const end = () => {
    if (run.length < 2) grouped.push(...run);
    else grouped.push(groupRow(run));
    run = [];
  };
  for (const row of rows) {
    if (row.type === 'call' && isLooking(row.call)) run.push(row);
    else {
      if (run.length > 0) end();
      grouped.push(row);
    }
  }
  end();
  return grouped;
}

function groupRow(run: readonly RowOf<'call'>[]): Row {
  const [first] = run;
  const calls = run.map(({ call }) => call);
  const row: RowOf<'calls'> = { type: 'calls', key: `calls ${first!.call.id}`, since: first!.since, calls };
  return rowOf(
    first!,
    () => row,
    (old) => isSameList(old.calls, calls),
  );
}

function isLooking({ use, tool, children, approvals, result }: Call): boolean {
  const kind = callKind(use.block);
  return (
    (kind === 'read' || kind === 'search') &&
    tool?.status !== 'Waiting' &&
    children.length === 0 &&
    approvals.every(({ decided }) => decided?.by.type === 'rule') &&
    (result?.block.diffs ?? []).length === 0
  );
}

const SUMS = [
  'input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cost_usd',
] as const;

function sumUsage(messages: readonly ShownMessage[]): SessionView['usage'] {
  const sum: SessionView['usage'] = {};
  for (const { blocks } of messages)
    for (const { block } of blocks)
      if (block.type === 'usage')
        for (const field of SUMS) if (typeof block[field] === 'number') sum[field] = (sum[field] ?? 0) + block[field];
  return sum;
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
