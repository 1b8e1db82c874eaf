import type { TokenId } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { AccessTables } from './access-tables.ts';
import type { Caller } from './caller.ts';

/** The token that answers for something, whether it is still good or not. */
export interface TokenMaker {
  id: TokenId;
  expiresAt: number | null;
}

/**
 * The token that answers for what its holder makes: nothing outlives it, can do more than it, or stays when it is revoked.
 * For a browser that is the token that made its login link. A person who logged in otherwise answers for themselves: their
 * login ends after a month, and their programs go on.
 */
export async function makerOf(
  db: Kysely<Pick<AccessTables, 'tokens'>>,
  { tokenId }: Pick<Caller, 'tokenId'>,
): Promise<TokenMaker | undefined> {
  for (let id = tokenId ?? null; id !== null;) {
    const row = await db
      .selectFrom('tokens')
      .select(['kind', 'expires_at', 'made_by'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (row?.kind !== 'browser') return { id, expiresAt: row?.expires_at ?? null };
    id = row.made_by;
  }
  return undefined;
}
