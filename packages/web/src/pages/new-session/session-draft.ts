import type { AgentOffer, HubRunner, HubSession, PromptBlock } from '@dragoman/protocol';
import type { InputOf } from '../../api/calls.ts';
import type { KeptChoice } from './kept-choice.ts';
import { recentCombinations } from './recent-combinations.ts';

/** What somebody has said about the session to start; what is absent is filled in by what is likely. */
export interface SessionDraft extends KeptChoice {
  prompt: string;
}

/** The session to start, with what is likely filled in. */
export interface LikelySession {
  runner: HubRunner | undefined;
  agent: AgentOffer | undefined;
  folder: string;
  /** Empty: the agent's own choice. */
  model: string;
  mode: string;
}

/** Fills a draft in: what was said, else what the latest session was started with, else the first that works. */
export function fillIn(
  draft: SessionDraft,
  runners: readonly HubRunner[],
  sessions: readonly HubSession[],
): LikelySession {
  const [latest] = recentCombinations(sessions, runners, 1);
  const byId = (id: string | undefined) => runners.find((runner) => runner.id === id);
  const runner = byId(draft.runnerId) ?? byId(latest?.runnerId) ?? runners[0];
  const agents = runner?.agents ?? [];
  const ready = agents.filter(({ problem }) => problem === undefined);
  const agent =
    agents.find(({ name }) => name === draft.agent) ?? ready.find(({ name }) => name === latest?.agent) ?? ready[0];
  // A folder of another machine means nothing here, nor do models and modes of another agent.
  const isSameMachine = draft.runnerId === undefined || draft.runnerId === runner?.id;
  const isSameAgent = draft.agent === undefined || draft.agent === agent?.name;
  const known = latest !== undefined && latest.runnerId === runner?.id ? latest.folder : '';
  return {
    runner,
    agent,
    folder: (isSameMachine ? draft.folder : undefined) ?? known,
    model: (isSameAgent && agent?.capabilities.models === true ? draft.model : undefined) ?? '',
    mode: (isSameAgent && agent?.capabilities.modes === true ? draft.mode : undefined) ?? '',
  };
}

/** The call that starts it. */
export function startOf(
  draft: SessionDraft,
  { runner, agent, folder, model, mode }: LikelySession,
  isRepository: boolean,
  content: readonly PromptBlock[] = [],
): InputOf<'createSession'> | undefined {
  if (runner === undefined || agent === undefined || agent.problem !== undefined || folder.trim() === '')
    return undefined;
  const text = draft.prompt.trim();
  const said = { ...(text !== '' && { text }), ...(content.length > 0 && { content: [...content] }) };
  return {
    agent: agent.name,
    runnerId: runner.id,
    folder: folder.trim(),
    ...(model !== '' && { model }),
    ...(mode !== '' && { mode }),
    ...(draft.worktree === true && isRepository && { worktree: true }),
    ...(Object.keys(said).length > 0 && { prompt: { ...said, channel: 'web' } }),
  };
}
