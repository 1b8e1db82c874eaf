import type { ListSessionsRequest, ListSessionsResponse } from '@agentclientprotocol/sdk';
import { DragomanError } from '@dragoman/protocol';
import type { SessionListing } from '../session/session-store.ts';

const PAGE = 50;

/** A page of the sessions there are, the latest first. `sessions` has them in that order. */
export function listSessions(
  sessions: readonly SessionListing[],
  { cwd, cursor }: Pick<ListSessionsRequest, 'cwd' | 'cursor'>,
): ListSessionsResponse {
  const after = cursor === undefined || cursor === null ? undefined : readCursor(cursor);
  const wanted = sessions.filter(
    (session) =>
      (cwd === undefined || cwd === null || session.cwd === cwd) && (after === undefined || isAfter(session, after)),
  );
  const page = wanted.slice(0, PAGE);
  const last = page.at(-1);
  return {
    sessions: page.map(({ id, cwd: at, title, updatedAt }) => ({
      sessionId: id,
      cwd: at,
      title,
      updatedAt: new Date(updatedAt).toISOString(),
    })),
    ...(wanted.length > PAGE && last !== undefined ? { nextCursor: `${last.updatedAt}/${last.id}` } : {}),
  };
}

/** The cursor names the last session of the page before, so that sessions that come to the top meanwhile shift nothing. */
function readCursor(cursor: string): { updatedAt: number; id: string } {
  const [, updatedAt, id] = /^(\d+)\/(.+)$/.exec(cursor) ?? [];
  if (updatedAt === undefined || id === undefined)
    throw new DragomanError('bad-request', `"${cursor}" is no cursor that a list of sessions gave out.`);
  return { updatedAt: Number(updatedAt), id };
}

function isAfter(one: { updatedAt: number; id: string }, other: { updatedAt: number; id: string }): boolean {
  return one.updatedAt === other.updatedAt ? one.id < other.id : one.updatedAt < other.updatedAt;
}
