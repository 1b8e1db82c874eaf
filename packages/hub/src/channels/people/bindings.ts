import { type Role, type TokenId, type UserId, weakerRole } from '@dragoman/protocol';
import { type AccessTables, rolesOfTokens } from '@dragoman/server/base';
import type { Kysely } from 'kysely';
import type { HubTables } from '../../hub-tables.ts';
import type { Language } from '../channel.ts';
import { clearPrivateChats } from './chat-store.ts';

type Db = Kysely<HubTables>;

/** An account of a platform. */
export interface Account {
  channel: string;
  accountId: string;
}

/** A user behind an account. */
export interface BoundUser {
  userId: UserId;
  userName: string;
  role: Role;
  language: Language;
  /** The token that answers for the binding, where that is not the person. */
  madeBy: TokenId | null;
}

/** Who an account is. The role is that of this moment; who was removed is nobody, and so is whose token is no longer good. */
export async function findBound(
  db: Db,
  { channel, accountId }: Account,
  now = Date.now(),
): Promise<BoundUser | undefined> {
  const row = await withUsers(db)
    .selectFrom('hub_chat_bindings as binding')
    .innerJoin('users', 'users.id', 'binding.user_id')
    .select(['users.id as userId', 'users.name as userName', 'users.role', 'binding.language'])
    .select('binding.made_by as madeBy')
    .where('binding.channel', '=', channel)
    .where('binding.account_id', '=', accountId)
    .executeTakeFirst();
  const [bound] = row === undefined ? [] : await withBoundRoles(db, [row], now);
  return bound;
}

/**
 * People with what they may do through their accounts: never more than the token that connected one. Those whose token is
 * no longer good are left out.
 */
export async function withBoundRoles<Row extends { role: Role; madeBy: TokenId | null }>(
  db: Db,
  rows: readonly Row[],
  now = Date.now(),
): Promise<Row[]> {
  const makers = [...new Set(rows.flatMap(({ madeBy }) => madeBy ?? []))];
  const roles = await rolesOfTokens(withUsers(db), makers, now);
  return rows.flatMap((row) => {
    const ofMaker = row.madeBy === null ? row.role : roles.get(row.madeBy);
    if (ofMaker === undefined || ofMaker === 'models') return [];
    const role = weakerRole<Role>(ofMaker, row.role);
    return role === undefined ? [] : [{ ...row, role }];
  });
}

/** Makes an account a user's. One that was somebody else's is theirs no more, and shows nothing of what they looked at. */
export async function bindAccount(
  db: Db,
  {
    channel,
    accountId,
    name,
    userId,
    language,
    madeBy = null,
  }: Account & { name: string; userId: UserId; language: Language; madeBy?: TokenId | null },
  now = Date.now(),
): Promise<void> {
  const before = await db
    .selectFrom('hub_chat_bindings')
    .select('user_id')
    .where('channel', '=', channel)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  // Who was removed left no binding, but their chats are as they were.
  if (before?.user_id !== userId) await clearPrivateChats(db, { channel, accountId }, now);
  const bound = { account_name: name, user_id: userId, language, created_at: now, made_by: madeBy };
  await db
    .insertInto('hub_chat_bindings')
    .values({ channel, account_id: accountId, ...bound })
    .onConflict((conflict) => conflict.columns(['channel', 'account_id']).doUpdateSet(bound))
    .execute();
}

/** Forgets who an account is. False where nobody knew. */
export async function unbindAccount(db: Db, { channel, accountId }: Account, now = Date.now()): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('hub_chat_bindings')
    .where('channel', '=', channel)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  await clearPrivateChats(db, { channel, accountId }, now);
  return numDeletedRows > 0n;
}

/** The accounts of a channel with whose they are, the latest last. */
export async function listBindings(
  db: Db,
  channel: string,
): Promise<{ accountId: string; accountName: string; userId: UserId; user: string; createdAt: number }[]> {
  const rows = await withUsers(db)
    .selectFrom('hub_chat_bindings as binding')
    .innerJoin('users', 'users.id', 'binding.user_id')
    .select([
      'users.role',
      'binding.made_by as madeBy',
      'binding.account_id as accountId',
      'binding.account_name as accountName',
      'users.id as userId',
      'users.name as user',
      'binding.created_at as createdAt',
    ])
    .where('binding.channel', '=', channel)
    .orderBy('binding.created_at')
    .orderBy('binding.account_id')
    .execute();
  return (await withBoundRoles(db, rows)).map(({ role: _role, madeBy: _madeBy, ...binding }) => binding);
}

function withUsers(db: Db): Kysely<HubTables & Pick<AccessTables, 'users' | 'tokens'>> {
  return db.withTables<Pick<AccessTables, 'users' | 'tokens'>>();
}
