import type { HubSession, SessionView } from '@dragoman/protocol';
import { useState } from 'react';

/** What the head of a session's page shows of it, apart from how it stands. */
export interface SessionHead extends Pick<
  SessionView,
  | 'info'
  | 'title'
  | 'isPinned'
  | 'isArchived'
  | 'agentState'
  | 'agentSessionId'
  | 'cwd'
  | 'branch'
  | 'model'
  | 'mode'
  | 'models'
  | 'modes'
  | 'usage'
  | 'createdAt'
> {
  canFork: boolean;
  canRevert: boolean;
  hasModels: boolean;
  hasModes: boolean;
  turnCount: number;
  isEmpty: boolean;
}

/** The same until something of it changes: the head is not drawn again with every piece of a text. */
export function useHead(view: SessionView, session: HubSession | undefined): SessionHead {
  const head = headOf(view, session);
  const [kept, keep] = useState(head);
  if (isSame(kept, head)) return kept;
  keep(head);
  return head;
}

/** What an agent can do it tells when it runs; until then the row of the session has what its machine promised and what was chosen. */
function headOf(view: SessionView, session: HubSession | undefined): SessionHead {
  const { info, title, isPinned, isArchived, agentState, agentSessionId, cwd, branch } = view;
  const { models, modes, usage, createdAt, capabilities } = view;
  return {
    info,
    title,
    isPinned,
    isArchived,
    agentState,
    agentSessionId,
    cwd,
    branch,
    models,
    modes,
    usage,
    createdAt,
    model: view.model ?? session?.model,
    mode: view.mode ?? session?.mode,
    canFork: capabilities.fork === true,
    canRevert: capabilities.revert === true,
    hasModels: (capabilities.models ?? session?.capabilities.models) === true,
    hasModes: (capabilities.modes ?? session?.capabilities.modes) === true,
    turnCount: view.turns.length,
    isEmpty: view.messages.length === 0,
  };
}

function isSame(one: SessionHead, other: SessionHead): boolean {
  return (Object.keys(one) as (keyof SessionHead)[]).every((key) => Object.is(one[key], other[key]));
}
