import type { RequestInfo } from '@dragoman/protocol/console';

/** So many requests are kept in a page. */
export const MOST_KEPT = 2000;

/** What is known and what came, each call once, the newest first, as many as are kept. */
export function mergeRequests(known: readonly RequestInfo[], came: readonly RequestInfo[]): readonly RequestInfo[] {
  if (came.length === 0) return known;
  const byId = new Map(known.map((request) => [request.id, request]));
  for (const request of came) byId.set(request.id, request);
  return [...byId.values()].sort(newestFirst).slice(0, MOST_KEPT);
}

function newestFirst(one: RequestInfo, other: RequestInfo): number {
  return other.at - one.at || (other.id < one.id ? -1 : 1);
}

/** What people look for in the list. */
export interface RequestFilter {
  text: string;
  onlyErrors: boolean;
}

/** The requests that fit: every word is somewhere in who asked, for what, with what, or how it ended. */
export function filterRequests(
  requests: readonly RequestInfo[],
  { text, onlyErrors }: RequestFilter,
): readonly RequestInfo[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && !onlyErrors) return requests;
  return requests.filter((request) => {
    if (onlyErrors && !hasFailed(request)) return false;
    const { userName, tokenName, dialect, route, target, errorCode = '' } = request;
    const told = [userName, tokenName, dialect, route, target, errorCode].join('\n').toLowerCase();
    return words.every((word) => told.includes(word));
  });
}

/** A client that left did not fail. */
export function hasFailed({ errorCode, finishReason }: RequestInfo): boolean {
  return errorCode !== undefined && finishReason !== 'cancelled';
}
