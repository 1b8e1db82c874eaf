import type { ModelPatterns, TokenId, TokenRole, UserId } from '@dragoman/protocol';

/** Who is asking. */
export interface Caller {
  userId: UserId;
  userName: string;
  /** What this call may do: never more than the user's own role. */
  role: TokenRole;
  tokenName: string;
  /** Absent for a token that was given to this process and is kept nowhere. */
  tokenId: TokenId | undefined;
  /** The models that may be asked for; absent where all may. */
  models?: ModelPatterns;
}

/** Why a token was not accepted. The sentence tells its holder what to do. */
export interface TokenRefusal {
  reason: 'unknown' | 'expired' | 'revoked' | 'powerless';
  message: string;
}
