import { isRoleAtLeast, type Role } from '@dragoman/protocol';
import type { AccessTables } from '@dragoman/server/base';
import type { Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';
import type { PushNote } from './push-note.ts';
import type { SessionReaders } from './session-readers.ts';

type Tables = HubTables & AccessTables;

/** A browser that is to be notified. */
export type Recipient = HubTables['hub_push_subscriptions'];

const ABOUT = { approval: 'approvals', failed: 'failures', finished: 'finished' } as const satisfies Record<
  PushNote['kind'],
  keyof Recipient
>;

/** The browsers that want to hear of something in a session, of those people whom it concerns. */
export async function findRecipients(
  { db, readers, now }: { db: Kysely<Tables>; readers: SessionReaders; now: () => number },
  session: HubTables['hub_sessions'],
  { kind }: PushNote,
): Promise<Recipient[]> {
  const rows = await db
    .selectFrom('hub_push_subscriptions as subscription')
    .innerJoin('users', 'users.id', 'subscription.user_id')
    .leftJoin('tokens', 'tokens.id', 'subscription.token_id')
    .selectAll('subscription')
    .select(['users.role'])
    .where(`subscription.${ABOUT[kind]}`, '=', 1)
    .where('tokens.revoked_at', 'is', null)
    .where((where) => where.or([where('tokens.expires_at', 'is', null), where('tokens.expires_at', '>', now())]))
    .execute();
  const hearing = await whoHears({ db, readers }, session, kind, rows);
  return rows.filter(({ user_id }) => hearing.has(user_id));
}

/**
 * Those of some people whom something in a session concerns: an approval everyone who may decide it, how a turn ended those
 * who work in the session, and that it ended well only those of them who are not looking.
 */
export async function whoHears(
  { db, readers }: { db: Kysely<Tables>; readers: SessionReaders },
  session: HubTables['hub_sessions'],
  kind: PushNote['kind'],
  people: readonly { user_id: string; role: Role }[],
): Promise<ReadonlySet<string>> {
  const ids = (some: typeof people) => new Set(some.map(({ user_id }) => user_id));
  if (people.length === 0) return new Set();
  if (kind === 'approval') {
    const runner = await db
      .selectFrom('hub_runners')
      .select(['owner_id', 'is_shared'])
      .where('id', '=', session.runner_id)
      .executeTakeFirst();
    const mayDecide = people.filter(({ user_id, role }) => {
      if (!isRoleAtLeast(role, 'member')) return false;
      return isRoleAtLeast(role, 'admin') || runner?.is_shared === 1 || runner?.owner_id === user_id;
    });
    return ids(mayDecide);
  }
  const atWork = await peopleIn(db, session);
  const theirs = ids(people.filter(({ user_id }) => atWork.has(user_id)));
  if (kind === 'failed') return theirs;
  const looking = await readers.readersOf(session.id, [...theirs]);
  return new Set([...theirs].filter((userId) => !looking.has(userId)));
}

/** Who started the session, and everyone who sent it a prompt. */
async function peopleIn(db: Kysely<Tables>, session: HubTables['hub_sessions']): Promise<Set<string>> {
  const prompts = await db
    .selectFrom('hub_prompts')
    .select('by_json')
    .distinct()
    .where('session_id', '=', session.id)
    .execute();
  const senders = prompts.flatMap(({ by_json }) => (JSON.parse(by_json) as { userId?: string }).userId ?? []);
  return new Set([...senders, ...(session.by_user_id === null ? [] : [session.by_user_id])]);
}
