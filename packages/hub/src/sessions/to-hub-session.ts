import type { Actor, BackendCapabilities, Fault, HubSession, MachineAway, SessionStatus } from '@dragoman/protocol';
import type { SessionRow } from '../log/session-change.ts';

/** A session as lists show it to one person. */
export function toHubSession(
  row: SessionRow,
  { isOnline, away, readSeq }: { isOnline: boolean; away: MachineAway | undefined; readSeq: number },
): HubSession {
  return {
    id: row.id,
    title: row.title,
    agent: row.agent,
    runnerId: row.runner_id,
    folder: row.folder,
    ...(row.worktree === 1 && { worktree: true }),
    ...(row.model !== null && { model: row.model }),
    ...(row.mode !== null && { mode: row.mode }),
    ...(row.forked_from_json !== null && {
      forkedFrom: JSON.parse(row.forked_from_json) as { sessionId: string; seq: number },
    }),
    by: JSON.parse(row.by_json) as Actor,
    status: statusOf(row),
    isOnline,
    ...(away && { away }),
    isPinned: row.pinned === 1,
    isArchived: row.archived === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    seq: row.seq,
    newsSeq: row.news_seq,
    readSeq,
    queued: row.queued,
    waitingApprovals: row.waiting,
    ...(row.turn_id !== null && { turnId: row.turn_id }),
    ...(row.agent_session_id !== null && { agentSessionId: row.agent_session_id }),
    ...(row.cwd !== null && { cwd: row.cwd }),
    ...(row.branch !== null && { branch: row.branch }),
    lastText: row.last_text,
    ...(row.plan_total > 0 && { plan: { done: row.plan_done, total: row.plan_total } }),
    ...(row.last_error_json !== null && { lastError: JSON.parse(row.last_error_json) as Fault }),
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    costUsd: row.cost_micros / 1_000_000,
    capabilities: JSON.parse(row.capabilities_json) as BackendCapabilities,
  };
}

/**
 * What is going on: what a person must answer comes first, then what runs, then whether the last turn failed, then how the
 * agent is.
 */
function statusOf(row: Pick<SessionRow, 'waiting' | 'turn_id' | 'agent_state' | 'last_error_json'>): SessionStatus {
  if (row.waiting > 0) return 'waiting';
  if (row.turn_id !== null) return 'running';
  if (row.last_error_json !== null) return 'failed';
  return row.agent_state === 'ready' ? 'idle' : row.agent_state;
}
