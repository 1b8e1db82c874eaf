import { type ModelPatterns, type TokenId, type TokenRole, type UserId, weakerRole } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { AccessTables, TokenKind } from './access-tables.ts';
import { readModels } from './models-of-token.ts';

/** A token as it can be shown: everything but the token itself. */
export interface TokenInfo {
  id: TokenId;
  name: string;
  userId: UserId;
  user: string;
  /** What it lets its holder do: never more than the user's own role. */
  role: TokenRole;
  kind: TokenKind;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  revokedAt: number | null;
  /** The models it may ask for; null where it may ask for all. */
  models: ModelPatterns | null;
}

/** Which tokens are asked for. */
export interface TokenFilter {
  /** Only those that let somebody in at that moment. */
  liveAt?: number | undefined;
  userId?: UserId | undefined;
}

/** Tokens in the order they were made. */
export async function listTokens(db: Kysely<AccessTables>, { liveAt, userId }: TokenFilter = {}): Promise<TokenInfo[]> {
  const rows = await db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select(['tokens.id', 'tokens.name', 'users.id as userId', 'users.name as user', 'tokens.role', 'tokens.kind'])
    .select(['users.role as userRole', 'tokens.models'])
    .select([
      'tokens.created_at as createdAt',
      'tokens.expires_at as expiresAt',
      'tokens.last_used_at as lastUsedAt',
      'tokens.revoked_at as revokedAt',
    ])
    .$if(userId !== undefined, (query) => query.where('tokens.user_id', '=', userId!))
    .$if(liveAt !== undefined, (query) =>
      query
        .where('tokens.revoked_at', 'is', null)
        .where((where) => where.or([where('tokens.expires_at', 'is', null), where('tokens.expires_at', '>', liveAt!)])),
    )
    .orderBy('tokens.id')
    .execute();
  return rows.map(({ userRole, models, ...token }) => ({
    ...token,
    models: readModels(models),
    role: weakerRole<TokenRole>(token.role, userRole) ?? token.role,
  }));
}
