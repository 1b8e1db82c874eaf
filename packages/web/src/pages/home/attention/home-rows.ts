import type { HubSession, WaitingApproval } from '@dragoman/protocol';
import type { Attention } from '../../../api/attention.ts';

/** Something on the home page: a question that waits, or a session that failed, finished or runs. */
export type HomeRow =
  | { kind: 'waiting'; key: string; sessionId: string; approval: WaitingApproval; session: HubSession | undefined }
  | { kind: 'failed' | 'unread' | 'running'; key: string; sessionId: string; session: HubSession };

/** The kinds of rows, the most urgent first. */
export const ROW_KINDS = ['waiting', 'failed', 'unread', 'running'] as const;

/** What needs people, the most urgent first. What runs keeps its place, however often it says something. */
export function homeRows(
  attention: Readonly<Record<Attention, readonly HubSession[]>>,
  approvals: readonly WaitingApproval[],
): HomeRow[] {
  const sessions = new Map(Object.values(attention).flatMap((group) => group.map((one) => [one.id, one] as const)));
  const asked = approvals.toSorted((one, other) => one.askedAt - other.askedAt);
  const started = attention.running.toSorted((one, other) => other.createdAt - one.createdAt);
  return [
    ...asked.map((approval) => ({
      kind: 'waiting' as const,
      key: approval.id,
      sessionId: approval.sessionId,
      approval,
      session: sessions.get(approval.sessionId),
    })),
    ...attention.failed.map((session) => sessionRow('failed', session)),
    ...attention.unread.map((session) => sessionRow('unread', session)),
    ...started.map((session) => sessionRow('running', session)),
  ];
}

function sessionRow(kind: 'failed' | 'unread' | 'running', session: HubSession): HomeRow {
  return { kind, key: session.id, sessionId: session.id, session };
}
