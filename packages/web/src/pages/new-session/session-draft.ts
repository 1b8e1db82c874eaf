import type { AgentOffer, HubRunner, HubSession } from '@dragoman/protocol';
import type { InputOf } from '../../api/calls.ts';
import { recentCombinations } from './recent-combinations.ts';

/** What somebody has said about the session to start; what is absent is filled in by what is likely. */
export interface SessionDraft {
  runnerId?: string | undefined;
  agent?: string | undefined;
  folder?: string | undefined;
  model: string;
  mode: string;
  worktree: boolean;
  prompt: string;
}

/** The session to start, with what is likely filled in. */
export interface LikelySession {
  runner: HubRunner | undefined;
  agent: AgentOffer | undefined;
  folder: string;
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
  const isReady = ({ problem }: AgentOffer) => problem === undefined;
  const ready = agents.filter(isReady);
  const agent =
    agents.find(({ name }) => name === draft.agent) ??
    ready.find(({ name }) => name === latest?.agent) ??
    ready.find(({ backend }) => backend === 'native') ??
    ready[0];
  // A folder of another machine means nothing here.
  const known = latest !== undefined && latest.runnerId === runner?.id ? latest.folder : '';
  return { runner, agent, folder: draft.folder ?? known };
}

/** The call that starts it. */
export function startOf(
  draft: SessionDraft,
  { runner, agent, folder }: LikelySession,
  isRepository: boolean,
): InputOf<'createSession'> | undefined {
  if (runner === undefined || agent === undefined || agent.problem !== undefined || folder.trim() === '')
    return undefined;
  const { models, modes } = agent.capabilities;
  const text = draft.prompt.trim();
  return {
    agent: agent.name,
    runnerId: runner.id,
    folder: folder.trim(),
    ...(models === true && draft.model.trim() !== '' && { model: draft.model.trim() }),
    ...(modes === true && draft.mode.trim() !== '' && { mode: draft.mode.trim() }),
    ...(draft.worktree && isRepository && { worktree: true }),
    ...(text !== '' && { prompt: { text, channel: 'web' } }),
  };
}
