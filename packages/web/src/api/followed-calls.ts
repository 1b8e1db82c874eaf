import type { HubChange } from '@dragoman/protocol';
import type { AnswerOf, CallName, InputOf } from './calls.ts';
import { putRunners, putSession, putSessions } from './put-changes.ts';

/** Answers that are kept as they change; see `followLists`. */
export const FOLLOWED_CALLS = [
  'listSessions',
  'getSession',
  'listRunners',
  'listApprovals',
] as const satisfies CallName[];

/** The list the whole console shares: the newest sessions that are not archived. */
export const NEWEST = { archived: false, limit: 200 } as const;

/** Puts changes that were told meanwhile into an answer. */
type Putter<Name extends CallName> = (answer: AnswerOf<Name>, changes: readonly HubChange[]) => AnswerOf<Name>;

const PUTTERS: { [Name in CallName]?: Putter<Name> } = {
  listSessions: (answer, changes) => ({ ...answer, sessions: putSessions(answer.sessions, changes) }),
  listRunners: ({ runners }, changes) => ({ runners: putRunners(runners, changes) }),
  getSession: putSession,
};

export function isFollowed(name: CallName): boolean {
  return FOLLOWED_CALLS.some((one) => one === name);
}

/** Whether what was asked for is the shared list. */
export function isNewest(input: unknown): boolean {
  return JSON.stringify(input) === JSON.stringify(NEWEST);
}

/** How changes are put into the answer to a question. Into most they are not: those are asked again when something changes. */
export function putterOf<Name extends CallName>(name: Name, input: InputOf<Name> | undefined): Putter<Name> {
  const put: Putter<Name> | undefined = name === 'listSessions' && !isNewest(input) ? undefined : PUTTERS[name];
  return put ?? ((answer) => answer);
}
