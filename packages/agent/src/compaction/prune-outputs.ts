import type { Message, SessionState, ToolPart } from '@dragoman/protocol';
import { sessionView } from '../prompt/session-view.ts';
import { estimateTokens } from './estimate-tokens.ts';

/** What is spared, and what is worth it. */
export interface PruneSettings {
  /** The newest outputs are spared, as far as they have so many tokens together. */
  keepTokens: number;
  /** Less than this is not worth it: it would cost the provider's cache. */
  minFreedTokens: number;
}

/** Prompts of a person whose answers are spared. */
const KEPT_TURNS = 2;
/** What a skill said is what the model works by. */
const KEPT_TOOLS: ReadonlySet<string> = new Set(['skill', 'todo-write']);

/** The calls whose outputs can leave the view of the model, and what that frees. Nothing when it is not worth it. */
export function outputsToPrune(
  state: SessionState,
  settings: PruneSettings,
): { partIDs: string[]; freedTokens: number } {
  const old: { id: string; tokens: number }[] = [];
  let turns = 0;
  let kept = 0;
  for (const message of sessionView(state).messages.toReversed()) {
    if (isFromPerson(message)) turns++;
    for (const part of message.parts.toReversed()) {
      if (part.type !== 'tool' || part.state.status !== 'completed' || part.state.time.compacted !== undefined)
        continue;
      const tokens = outputTokens(part);
      kept += tokens;
      if (turns < KEPT_TURNS && kept <= settings.keepTokens) continue;
      if (kept > settings.keepTokens && !KEPT_TOOLS.has(part.tool)) old.push({ id: part.id, tokens });
    }
  }
  const freedTokens = old.reduce((total, { tokens }) => total + tokens, 0);
  return freedTokens < settings.minFreedTokens
    ? { partIDs: [], freedTokens: 0 }
    : { partIDs: old.map(({ id }) => id), freedTokens };
}

function isFromPerson({ info, parts }: Message): boolean {
  return info.role === 'user' && parts.some((part) => part.type === 'text' && part.synthetic !== true);
}

function outputTokens({ state }: ToolPart): number {
  return state.status === 'completed' ? estimateTokens(state.output) : 0;
}
