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
  const waiting = waitingCalls(view.approvals);
  for (const [id, call] of calls) {
    const tool = shownTool(call, view.closedSeq, waiting.has(id));
    const before = view.tools.get(id);
    onto.set(id, before !== undefined && isSame(before, tool) ? before : tool);
  }
  return onto;
}

function shownTool({ use, result }: CallBlocks, closedSeq: number, isWaiting: boolean): ShownTool {
  const isOver = Math.max(use?.since ?? 0, result?.since ?? 0) < closedSeq;
  return {
    status: statusOf(result, isOver, isWaiting),
    startedAt: (use ?? result)?.startedAt ?? 0,
    ...(use !== undefined && { useBlockId: use.id }),
    ...(result !== undefined && { resultBlockId: result.id }),
    ...(result?.endedAt !== undefined && { endedAt: result.endedAt }),
  };
}

/** A result counts whenever it came; without one, a call ends with its turn. */
function statusOf(result: ShownBlock | undefined, isOver: boolean, isWaiting: boolean): CallStatus {
  if (result?.endedAt !== undefined && result.block.type === 'tool_result')
    return result.block.is_error === true ? 'Error' : 'Success';
  if (isWaiting) return 'Waiting';
  return isOver ? 'Interrupted' : 'Running';
}

function waitingCalls(approvals: readonly ShownApproval[]): Set<string> {
  const waiting = new Set<string>();
  for (const { decided, toolUseId } of approvals)
    if (decided === undefined && toolUseId !== undefined) waiting.add(toolUseId);
  return waiting;
}

function isSame(one: ShownTool, other: ShownTool): boolean {
  return (
    one.status === other.status &&
    one.useBlockId === other.useBlockId &&
    one.resultBlockId === other.resultBlockId &&
    one.startedAt === other.startedAt &&
    one.endedAt === other.endedAt
  );
}
