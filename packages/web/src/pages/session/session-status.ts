import type { SessionView, TurnEnd } from '@dragoman/protocol';
import type { ShownStatus } from '../../api/shown-status.ts';

/**
 * How a session stands, as its events tell it and as lists have it: what a person must answer comes first, then what runs, then
 * how the last turn ended.
 */
export function statusOf(view: SessionView): ShownStatus {
  if (view.approvals.some(({ decided }) => decided === undefined)) return 'waiting';
  if (isRunning(view)) return 'running';
  if (view.agentState === 'failed') return 'failed';
  const { reason = 'done', error } = view.turn ?? {};
  if (reason === 'interrupted' && error === undefined) return 'interrupted';
  if (error !== undefined || BAD_ENDS.has(reason)) return 'failed';
  return view.agentState === 'ready' ? 'idle' : view.agentState;
}

const BAD_ENDS: ReadonlySet<TurnEnd['reason']> = new Set(['refused', 'limit', 'failed']);

/** A turn is under way. */
export function isRunning({ turn }: SessionView): boolean {
  return turn !== undefined && turn.finishedAt === undefined;
}

/** A prompt of the conversation, as lists of prompts show it. */
export interface ShownPrompt {
  id: string;
  text: string;
  at: number;
}

/** The prompts that people sent, the newest first. */
export function promptsOf({ messages }: SessionView): ShownPrompt[] {
  const prompts: ShownPrompt[] = [];
  for (const { id, role, by, blocks } of messages) {
    if (role !== 'user' || by === undefined) continue;
    const text = blocks.flatMap(({ block }) => (block.type === 'text' ? [block.text] : [])).join('\n');
    prompts.push({ id, text, at: blocks[0]?.startedAt ?? 0 });
  }
  return prompts.toReversed();
}

/** How much of its context the agent uses, from 0 to 1; nothing where it does not say. */
export function contextShare({ context_used: used, context_size: size }: SessionView['usage']): number | undefined {
  if (used === undefined || size === undefined || size <= 0) return undefined;
  return Math.min(1, Math.max(0, used / size));
}
