import type { CallStatus, SessionView, ShownApproval, ShownBlock, ShownMessage, ShownTool } from './session-view.ts';

/** The blocks of one call. Of several the one that was opened last counts. */
export interface CallBlocks {
  use?: ShownBlock;
  result?: ShownBlock;
}

/** The call that a block belongs to. */
export function callIdOf({ block }: ShownBlock): string | undefined {
  if (block.type === 'tool_use') return block.id;
  return block.type === 'tool_result' ? block.tool_use_id : undefined;
}

/** Notes a block with its call. */
export function addToCall(call: CallBlocks, shown: ShownBlock): void {
  const part = shown.block.type === 'tool_use' ? 'use' : 'result';
  const other = call[part];
  if (other === undefined || other.since <= shown.since) call[part] = shown;
}

/** Every call that is in the messages. */
export function callsIn(messages: readonly ShownMessage[]): Map<string, CallBlocks> {
  const calls = new Map<string, CallBlocks>();
  for (const { blocks } of messages)
    for (const shown of blocks) {
      const id = callIdOf(shown);
      if (id === undefined) continue;
      let call = calls.get(id);
      if (call === undefined) calls.set(id, (call = {}));
      addToCall(call, shown);
    }
  return calls;
}

/** Calls as they stand by their blocks. What did not change is the same as before. */
export function shownTools(
  calls: Iterable<[string, CallBlocks]>,
  view: Pick<SessionView, 'approvals' | 'closedSeq' | 'tools'>,
  onto: Map<string, ShownTool>,
): Map<string, ShownTool> {
  const waits = waitsOf(view.approvals);
  for (const [id, call] of calls) {
    const tool = shownTool(call, view.closedSeq, waits.get(id));
    const before = view.tools.get(id);
    onto.set(id, before !== undefined && isSame(before, tool) ? before : tool);
  }
  return onto;
}

function shownTool({ use, result }: CallBlocks, closedSeq: number, wait: Wait | undefined): ShownTool {
  const isOver = Math.max(use?.since ?? 0, result?.since ?? 0) < closedSeq;
  return {
    status: statusOf(result, isOver, wait?.isOpen === true),
    startedAt: (use ?? result)?.startedAt ?? 0,
    ...(use !== undefined && { useBlockId: use.id }),
    ...(result !== undefined && { resultBlockId: result.id }),
    ...(result?.endedAt !== undefined && { endedAt: result.endedAt }),
    ...(wait !== undefined && wait.ms > 0 && { waitedMs: wait.ms }),
  };
}

/** A result counts whenever it came; without one, a call ends with its turn. */
function statusOf(result: ShownBlock | undefined, isOver: boolean, isWaiting: boolean): CallStatus {
  if (result?.endedAt !== undefined && result.block.type === 'tool_result')
    return result.block.is_error === true ? 'Error' : 'Success';
  if (isWaiting) return 'Waiting';
  return isOver ? 'Interrupted' : 'Running';
}

/** What the questions of a call took so far, and whether one of them waits. */
interface Wait {
  ms: number;
  isOpen: boolean;
}

function waitsOf(approvals: readonly ShownApproval[]): Map<string, Wait> {
  const waits = new Map<string, Wait>();
  for (const { askedAt, decided, toolUseId } of approvals) {
    if (toolUseId === undefined) continue;
    const { ms, isOpen } = waits.get(toolUseId) ?? { ms: 0, isOpen: false };
    const waited = decided === undefined ? 0 : Math.max(0, decided.at - askedAt);
    waits.set(toolUseId, { ms: ms + waited, isOpen: isOpen || decided === undefined });
  }
  return waits;
}

function isSame(one: ShownTool, other: ShownTool): boolean {
  return (
    one.status === other.status &&
    one.useBlockId === other.useBlockId &&
    one.resultBlockId === other.resultBlockId &&
    one.startedAt === other.startedAt &&
    one.endedAt === other.endedAt &&
    one.waitedMs === other.waitedMs
  );
}
