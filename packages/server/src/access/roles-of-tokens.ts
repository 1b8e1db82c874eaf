import { type TokenId, type TokenRole, weakerRole } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { AccessTables } from './access-tables.ts';

/** As many as a statement asks for. */
const IDS_AT_ONCE = 500;

/** What each of some tokens lets its holder do at a moment. One that lets nobody in, or is gone, is not there. */
export async function rolesOfTokens(
  db: Kysely<Pick<AccessTables, 'tokens' | 'users'>>,
  ids: readonly TokenId[],
  now: number,
): Promise<ReadonlyMap<TokenId, TokenRole>> {
  const roles = new Map<TokenId, TokenRole>();
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const rows = await db
      .selectFrom('tokens')
      .innerJoin('users', 'users.id', 'tokens.user_id')
      .select(['tokens.id', 'tokens.role', 'users.role as user_role'])
      .where('tokens.id', 'in', ids.slice(from, from + IDS_AT_ONCE))
      .where('tokens.revoked_at', 'is', null)
      .where((where) => where.or([where('tokens.expires_at', 'is', null), where('tokens.expires_at', '>', now)]))
      .execute();
    for (const { id, role, user_role } of rows) {
      const allowed = weakerRole<TokenRole>(role, user_role);
      if (allowed !== undefined) roles.set(id, allowed);
    }
  }
  return roles;
}
