import type { SessionView, ShownApproval, ShownBlock, ShownMessage } from '../session-view.ts';
import type { Call, ShownOf } from './row.ts';

/** All calls of a view by their ids, and which of them were made by which other one. */
export interface ViewCalls {
  calls: ReadonlyMap<string, Call>;
  /** The call that each was made by. Those that have one are shown inside of it. */
  parents: ReadonlyMap<string, string>;
}

interface MessageCalls {
  uses: readonly ShownOf<'tool_use'>[];
  results: readonly ShownOf<'tool_result'>[];
}

/** How deep calls are shown in one another. */
const MAX_DEPTH = 6;

/** Messages that did not change are shared between views, and so is what was read out of them. */
const known = new WeakMap<ShownMessage, MessageCalls>();

/**
 * Puts the calls together of one view after another of the same session. What did not change is the same object; and where
 * nothing changed that is about calls, everything is.
 */
export function callReader(): (view: SessionView) => ViewCalls {
  let before: Pick<SessionView, 'messages' | 'tools' | 'approvals'> | undefined;
  let found: ViewCalls = { calls: new Map(), parents: new Map() };
  return (view) => {
    const changed = before === undefined ? undefined : changedResults(before, view);
    if (changed === undefined) found = readCalls(view, found.calls);
    else if (changed.length > 0) found = withResults(found, changed);
    before = view;
    return found;
  };
}

function readCalls(view: SessionView, before: ViewCalls['calls']): ViewCalls {
  const uses = new Map<string, ShownOf<'tool_use'>>();
  const results = new Map<string, ShownOf<'tool_result'>>();
  for (const message of view.messages) {
    const found = callsIn(message);
    for (const use of found.uses) if (isTheOne(view, use)) uses.set(use.block.id, use);
    for (const result of found.results) results.set(result.id, result);
  }
  const approvals = Map.groupBy(view.approvals, ({ toolUseId }) => toolUseId ?? '');
  const parents = parentsOf(uses);
  const children = Map.groupBy(parents.keys(), (id) => parents.get(id)!);
  const calls = new Map<string, Call>();
  const make = (use: ShownOf<'tool_use'>): Call => {
    const { id } = use.block;
    const tool = view.tools.get(id);
    const call: Call = {
      id,
      use,
      tool,
      result: results.get(tool?.resultBlockId ?? ''),
      approvals: approvals.get(id) ?? NO_APPROVALS,
      children: children.get(id)?.map((child) => make(uses.get(child)!)) ?? NO_CALLS,
    };
    const old = before.get(id);
    const kept = old !== undefined && isSameCall(old, call) ? old : call;
    calls.set(id, kept);
    return kept;
  };
  for (const [id, use] of uses) if (!parents.has(id)) make(use);
  return { calls, parents };
}

const NO_APPROVALS: readonly ShownApproval[] = [];
const NO_CALLS: readonly Call[] = [];

/** The results that changed, where nothing else did that is about calls: output comes in many pieces. */
function changedResults(
  before: Pick<SessionView, 'messages' | 'tools' | 'approvals'>,
  view: SessionView,
): ShownOf<'tool_result'>[] | undefined {
  if (before.tools !== view.tools || before.approvals !== view.approvals) return undefined;
  if (view.messages.length < before.messages.length) return undefined;
  const changed: ShownOf<'tool_result'>[] = [];
  for (let index = 0; index < view.messages.length; index += 1) {
    const [old, message] = [before.messages[index], view.messages[index]!];
    if (old === message) continue;
    const [was, is] = [old === undefined ? NOTHING : callsIn(old), callsIn(message)];
    if (!isSameList(was.uses, is.uses) || was.results.length !== is.results.length) return undefined;
    for (const [place, result] of is.results.entries()) {
      if (was.results[place]!.id !== result.id) return undefined;
      if (was.results[place] !== result) changed.push(result);
    }
  }
  return changed;
}

const NOTHING: MessageCalls = { uses: [], results: [] };

function withResults(found: ViewCalls, changed: readonly ShownOf<'tool_result'>[]): ViewCalls {
  const calls = new Map(found.calls);
  for (const result of changed) {
    const old = calls.get(result.block.tool_use_id);
    if (old?.result?.id !== result.id) continue;
    let call: Call = { ...old, result };
    calls.set(call.id, call);
    // Whatever a call is inside of is another one with it.
    for (let parent = found.parents.get(call.id); parent !== undefined; parent = found.parents.get(parent)) {
      const outer = calls.get(parent)!;
      const inner = call;
      call = { ...outer, children: outer.children.map((child) => (child.id === inner.id ? inner : child)) };
      calls.set(parent, call);
    }
  }
  return { calls, parents: found.parents };
}

function callsIn(message: ShownMessage): MessageCalls {
  let found = known.get(message);
  if (found === undefined) {
    found = {
      uses: message.blocks.filter((shown): shown is ShownOf<'tool_use'> => shown.block.type === 'tool_use'),
      results: message.blocks.filter((shown): shown is ShownOf<'tool_result'> => shown.block.type === 'tool_result'),
    };
    known.set(message, found);
  }
  return found;
}

/** Of several blocks with the same call the newest counts. */
function isTheOne(view: SessionView, { id, block }: ShownBlock & { block: { id: string } }): boolean {
  const tool = view.tools.get(block.id);
  return tool?.useBlockId === undefined || tool.useBlockId === id;
}

/** Which call is inside of which: only where that ends somewhere, and not too deep. */
function parentsOf(uses: ReadonlyMap<string, ShownOf<'tool_use'>>): Map<string, string> {
  const parents = new Map<string, string>();
  for (const [id, { block }] of uses) {
    const parent = block.parent_tool_use_id;
    if (parent === undefined || !uses.has(parent)) continue;
    let [depth, at] = [1, parent as string | undefined];
    while (at !== undefined && at !== id && depth <= MAX_DEPTH) {
      at = uses.get(at)?.block.parent_tool_use_id;
      depth += 1;
    }
    if (at === undefined) parents.set(id, parent);
  }
  return parents;
}

function isSameCall(one: Call, other: Call): boolean {
  return (
    one.use === other.use &&
    one.tool === other.tool &&
    one.result === other.result &&
    isSameList(one.approvals, other.approvals) &&
    isSameList(one.children, other.children)
  );
}

/** Whether two lists hold the very same things. */
export function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
}
