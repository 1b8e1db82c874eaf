import {
  DragomanError,
  HUB_ROUTES,
  type HubCallName,
  type HubRunner,
  isRoleAtLeast,
  type Role,
  type TokenId,
  type UserId,
} from '@dragoman/protocol';
import type { AccessTables, Caller } from '@dragoman/server/base';
import { decideApproval, type DecisionBody } from '../../approvals/decide-approval.ts';
import { listApprovals } from '../../approvals/list-approvals.ts';
import type { HubParts } from '../../hub-parts.ts';
import { cancelTurn } from '../../inbox/cancel-turn.ts';
import { type PromptBody, sendPrompt } from '../../inbox/send-prompt.ts';
import { withdrawPrompt } from '../../inbox/withdraw-prompt.ts';
import { readRunners, toHubRunner } from '../../runners/list-runners.ts';
import { checkMayUseRunner, findRunner, mayUseRunner } from '../../runners/runner-access.ts';
import type { SearchQuery, SessionSearch } from '../../search/session-search.ts';
import { createSession, type SessionBody } from '../../sessions/create-session.ts';
import { checkFolderIsThere } from '../../sessions/find-folder.ts';
import { getSession } from '../../sessions/find-session.ts';
import { listSessions, type SessionQuery } from '../../sessions/list-sessions.ts';
import { type MoveBody, moveSession } from '../../sessions/move-session.ts';
import { readView } from '../../sessions/read-view.ts';
import { type SessionUpdate, updateSession } from '../../sessions/update-session.ts';
import { withBoundRoles } from './bindings.ts';

/** What acting for somebody stands on. */
export interface ActingOptions {
  parts: HubParts;
  search: SessionSearch;
  channel: string;
  userId: UserId;
  /** The token that connected the account, where one answers for it. */
  madeBy: TokenId | null;
  signal: AbortSignal;
}

/** A machine may have to be asked where a folder is. */
const ASK_MACHINE_MS = 20_000;

/** Somebody may not do what they asked for. */
export class RoleError extends DragomanError {
  readonly needed: Role;

  constructor(userName: string, role: Role, needed: Role) {
    super(
      'forbidden',
      `This requires the ${needed} role, and ${userName} has the ${role} role. An admin can change it.`,
    );
    this.needed = needed;
  }
}

/**
 * What a person may do in a chat: the calls of the console, as that person.
 *
 * This is the one way from a chat into the hub. Each act asks for the role that the route table asks for, and takes the
 * role of that moment from the users: who was removed or has less rights since the last message can do no more than that,
 * and nobody more than the token that connected their account.
 */
export function actAs({ parts, search, channel, userId, madeBy, signal }: ActingOptions) {
  const as = async <Result>(name: HubCallName, act: (caller: Caller) => Promise<Result>): Promise<Result> => {
    const row = await parts.db
      .withTables<Pick<AccessTables, 'users'>>()
      .selectFrom('users')
      .select(['name', 'role'])
      .where('id', '=', userId)
      .executeTakeFirst();
    const [user] = row === undefined ? [] : await withBoundRoles(parts.db, [{ ...row, madeBy }], parts.now());
    if (user === undefined) throw new DragomanError('unauthenticated', 'This account is no longer linked to anyone.');
    const needed = HUB_ROUTES[name].access;
    if (!isRoleAtLeast(user.role, needed)) throw new RoleError(user.name, user.role, needed);
    return act({ userId, userName: user.name, role: user.role, tokenName: channel, tokenId: undefined });
  };
  return {
    /** Refuses who may not make a call, before anything is done for it. */
    check: (name: HubCallName) => as(name, async () => {}),
    listSessions: (query: SessionQuery) => as('listSessions', (caller) => listSessions(parts, caller, query)),
    getSession: (sessionId: string) => as('getSession', (caller) => getSession(parts, caller, sessionId)),
    readView: (sessionId: string) => as('readLog', () => readView(parts, sessionId, signal)),
    createSession: (body: SessionBody) =>
      as('createSession', (caller) =>
        createSession(
          parts,
          caller,
          { ...body, ...(body.prompt !== undefined && { prompt: { ...body.prompt, channel } }) },
          AbortSignal.any([signal, AbortSignal.timeout(ASK_MACHINE_MS)]),
        ),
      ),
    /** Refuses a folder that is not there, as far as its machine can be asked. */
    checkFolder: (runnerId: string, folder: string) =>
      as('listFolder', async (caller) => {
        const runner = await findRunner(parts.db, runnerId);
        checkMayUseRunner(caller, runner);
        await checkFolderIsThere(parts, runner, folder, signal);
      }),
    updateSession: (sessionId: string, update: SessionUpdate) =>
      as('updateSession', (caller) => updateSession(parts, caller, sessionId, update)),
    moveSession: (sessionId: string, body: MoveBody) =>
      as('moveSession', (caller) =>
        moveSession(parts, caller, {
          ...body,
          sessionId,
          signal: AbortSignal.any([signal, AbortSignal.timeout(ASK_MACHINE_MS)]),
        }),
      ),
    sendPrompt: (sessionId: string, body: Omit<PromptBody, 'channel'>) =>
      as('sendPrompt', (caller) => sendPrompt(parts, caller, sessionId, { ...body, channel })),
    withdrawPrompt: (sessionId: string, promptId: string) =>
      as('withdrawPrompt', (caller) => withdrawPrompt(parts, caller, { sessionId, promptId, channel })),
    cancelTurn: (sessionId: string) => as('cancelTurn', (caller) => cancelTurn(parts, caller, sessionId)),
    /** What waits for an answer that this person may give. */
    decidableApprovals: () =>
      as('listApprovals', async (caller) => {
        const runners = await parts.db.selectFrom('hub_runners').selectAll().execute();
        const barred = runners.flatMap((row) => (mayUseRunner(caller, row) ? [] : [row.id]));
        const waiting = await listApprovals(parts);
        if (barred.length === 0 || waiting.length === 0) return waiting;
        const sessions = await parts.db
          .selectFrom('hub_sessions')
          .select('id')
          .where('runner_id', 'in', barred)
          .execute();
        const theirs = new Set(sessions.map(({ id }) => id));
        return waiting.filter(({ sessionId }) => !theirs.has(sessionId));
      }),
    decideApproval: (place: { sessionId: string; approvalId: string }, body: Omit<DecisionBody, 'channel'>) =>
      as('decideApproval', (caller) => decideApproval(parts, caller, place, { ...body, channel })),
    search: (query: SearchQuery) => as('search', () => search.find(query)),
    /** The machines on which this person may let agents work. */
    usableRunners: () =>
      as('createSession', async (caller): Promise<HubRunner[]> => {
        const rows = await readRunners(parts);
        return rows.filter((row) => mayUseRunner(caller, row)).map((row) => toHubRunner(parts, row));
      }),
    /** The machines of others, on which this person may not. */
    barredRunners: () =>
      as('listRunners', async (caller): Promise<{ id: string; name: string; owner: string }[]> => {
        const rows = await readRunners(parts);
        return rows.flatMap((row) =>
          mayUseRunner(caller, row) ? [] : [{ id: row.id, name: row.name, owner: row.owner_name }],
        );
      }),
    /** Where this person let agents work, the latest first. */
    pastPlaces: (most: number) =>
      as('listSessions', () =>
        parts.db
          .selectFrom('hub_sessions')
          .select(['agent', 'runner_id as runnerId', 'folder'])
          .where('by_user_id', '=', userId)
          // What never started is no place to go back to.
          .where((row) =>
            row.or([
              row('agent_state', '!=', 'failed'),
              row('agent_session_id', 'is not', null),
              row('output_tokens', '>', 0),
            ]),
          )
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(most)
          .execute(),
      ),
  };
}

/** What a person may do. */
export type Acts = ReturnType<typeof actAs>;
