import type { Call, SessionPart, SessionView } from '@dragoman/protocol';

/**
 * A part will not change any more: its turn is over, every call has its result or is interrupted, and nothing is open.
 * What was said between turns is final once something follows it, or while nobody works.
 */
export function isFinalPart(
  part: SessionPart,
  view: Pick<SessionView, 'turn' | 'turns'>,
  isLastPart: boolean,
): boolean {
  if (part.messages.some(({ blocks }) => blocks.some(({ isOpen }) => isOpen))) return false;
  for (const row of part.rows) {
    if (row.type === 'call' && isRunning(row.call)) return false;
    if (row.type === 'calls' && row.calls.some(isRunning)) return false;
  }
  if (part.turnId !== undefined) return view.turns.findLast(({ id }) => id === part.turnId)?.finishedAt !== undefined;
  return !isLastPart || view.turn === undefined || view.turn.finishedAt !== undefined;
}

function isRunning({ tool, children }: Call): boolean {
  return tool?.status === 'Running' || tool?.status === 'Waiting' || children.some(isRunning);
}

/** Parts that did not change are shared between views, and so is what was read out of them. */
const said = new WeakMap<SessionPart, number>();
const known = new WeakMap<SessionPart, number>();

/** Where in the log the last thing was begun that was said in a part. */
export function lastSaid(part: SessionPart): number {
  let last = said.get(part);
  if (last === undefined) {
    last = part.since;
    for (const { blocks } of part.messages) for (const { since } of blocks) last = Math.max(last, since);
    said.set(part, last);
  }
  return last;
}

/** The same, with results of its calls that came after it was over. */
export function lastHeard(part: SessionPart): number {
  let last = known.get(part);
  if (last === undefined) {
    last = lastSaid(part);
    for (const row of part.rows) {
      if (row.type === 'call') last = Math.max(last, lastOfCall(row.call));
      else if (row.type === 'calls') last = Math.max(last, ...row.calls.map(lastOfCall));
      else if (row.type === 'turn-end') last = Math.max(last, row.since);
    }
    known.set(part, last);
  }
  return last;
}

function lastOfCall({ use, result, children }: Call): number {
  return Math.max(use.since, result?.since ?? 0, ...children.map(lastOfCall));
}

/** The prompts in a part, by their ids. */
export function promptsIn(part: SessionPart): string[] {
  return part.rows.flatMap((row) => (row.type === 'prompt' ? [row.message.id] : []));
}
