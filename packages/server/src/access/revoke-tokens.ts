import type { TokenId } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { AccessTables } from './access-tables.ts';

/** Ends tokens and all that they made, over any number of steps: other tokens, logins, and login links that wait. */
export async function revokeTokens(
  db: Kysely<AccessTables>,
  ids: readonly TokenId[],
  revokedAt: number,
): Promise<void> {
  let ended = ids;
  while (ended.length > 0) {
    await db
      .updateTable('tokens')
      .set({ revoked_at: revokedAt })
      .where('id', 'in', ended)
      .where('revoked_at', 'is', null)
      .execute();
    await db.deleteFrom('login_codes').where('made_by', 'in', ended).execute();
    const made = await db
      .selectFrom('tokens')
      .select('id')
      .where('made_by', 'in', ended)
      .where('revoked_at', 'is', null)
      .execute();
    ended = made.map(({ id }) => id);
  }
}
