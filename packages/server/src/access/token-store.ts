import {
  DragomanError,
  isRoleAtLeast,
  type ModelPatterns,
  newId,
  type Role,
  type TokenId,
  type TokenRole,
  type UserId,
  weakerRole,
} from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { AccessTables, TokenKind } from './access-tables.ts';
import type { Caller, TokenRefusal } from './caller.ts';
import { checkName } from './check-name.ts';
import { listTokens, type TokenInfo } from './list-tokens.ts';
import { modelsOfToken, narrowModels, readModels } from './models-of-token.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { rolesOfTokens } from './roles-of-tokens.ts';
import { makerOf, type TokenMaker } from './token-maker.ts';
import {
  type BrowserLogin,
  hashLogin,
  hashToken,
  isSameHash,
  newBrowserLogin,
  newLoginCode,
  newTokenText,
  tokenLookup,
} from './token-text.ts';

/** A token to be made. */
export interface NewToken {
  user: { id: UserId; name: string; role: TokenRole };
  name: string;
  role: TokenRole;
  expiresAt: number | null;
  /** The token that asks for it. It takes what it made with it when it is revoked. */
  madeBy?: TokenId | undefined;
  /** The models it may ask for; those that its maker may, where nothing is said. */
  models?: ModelPatterns | undefined;
}

/** The user that the person at the machine is, until there are others. */
export const OWNER_NAME = 'owner';

/** How long a login link waits to be opened. */
export const LOGIN_CODE_MS = 3_600_000;
const BROWSER_LOGIN_MS = 30 * 24 * 3_600_000;
/** The last-used time is for people; writing it at every call would cost more than the call. */
const LAST_USED_STEP_MS = 60_000;
/** Compared with when no row was found, so that a miss takes as long as a hit. */
const NO_HASH = hashToken('');

const UNKNOWN: TokenRefusal = {
  reason: 'unknown',
  message: 'Unknown token. Create one with: dragoman token create NAME',
};

/** Users, their tokens and one-time login codes. Tokens are stored hashed and read at every call, so a revoked one is dead at once. */
export class TokenStore {
  readonly #db: Kysely<AccessTables>;
  readonly #now: () => number;
  readonly #lastUsedWrites = new Map<TokenId, number>();
  readonly #onUnnoted: (error: unknown) => void;

  /** `onUnnoted` is told why the last use of a token could not be written down. */
  constructor(db: Kysely<AccessTables>, now: () => number = Date.now, onUnnoted: (error: unknown) => void = () => {}) {
    this.#db = db;
    this.#now = now;
    this.#onUnnoted = onUnnoted;
  }

  /** The user of that name, made with that role when there is none. Safe when two processes do it at once. */
  async openUser(name: string, role: Role): Promise<{ id: UserId; name: string; role: Role; isNew: boolean }> {
    const id = newId('usr');
    checkName('A user', name);
    await this.#db
      .insertInto('users')
      .values({ id, name, role, created_at: this.#now() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const row = await this.#db
      .selectFrom('users')
      .select(['id', 'name', 'role'])
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return { ...row, isNew: row.id === id };
  }

  async findUser(name: string): Promise<{ id: UserId; name: string; role: Role }> {
    const user = await this.#db
      .selectFrom('users')
      .select(['id', 'name', 'role'])
      .where('name', '=', name)
      .executeTakeFirst();
    if (user === undefined) throw new DragomanError('not-found', `There is no user named ${JSON.stringify(name)}.`);
    return user;
  }

  /** The text is returned here and can never be read again. */
  async createToken(token: NewToken): Promise<{ id: TokenId; text: string }> {
    const { text, lookup } = newTokenText();
    return { id: await this.#keepToken(token, { kind: 'client', lookup, hash: hashToken(text) }), text };
  }

  async verify(given: string | BrowserLogin): Promise<Caller | TokenRefusal> {
    const isLogin = typeof given !== 'string';
    const lookup = tokenLookup(isLogin ? given.cookie : given);
    const row = lookup === undefined ? undefined : await this.#findToken(lookup);
    const isRight = isSameHash(isLogin ? hashLogin(given) : hashToken(given), row?.hash ?? NO_HASH);
    if (row === undefined || !isRight) return UNKNOWN;
    if (row.revoked_at !== null)
      return { reason: 'revoked', message: `The token "${row.name}" was revoked on ${day(row.revoked_at)}.` };
    if (row.expires_at !== null && row.expires_at <= this.#now())
      return { reason: 'expired', message: `The token "${row.name}" expired on ${day(row.expires_at)}.` };
    const role = weakerRole<TokenRole>(row.role, row.user_role);
    if (role === undefined)
      return {
        reason: 'powerless',
        message: `The token "${row.name}" can only call models, and ${row.user_name} now has the role ${row.user_role}, which cannot.`,
      };
    this.#noteUse(row.id, row.last_used_at);
    const models = readModels(row.models);
    return {
      userId: row.user_id,
      userName: row.user_name,
      role,
      tokenName: row.name,
      tokenId: row.id,
      ...(models !== null && { models }),
    };
  }

  /** Those of some callers whose tokens still give them what they came with; a token that is kept nowhere ends with the process. */
  async areGood(callers: readonly Caller[]): Promise<ReadonlySet<Caller>> {
    const ids = [...new Set(callers.flatMap(({ tokenId }) => tokenId ?? []))];
    const roles = await rolesOfTokens(this.#db, ids, this.#now());
    return new Set(
      callers.filter(({ tokenId, role }) => {
        const now = tokenId === undefined ? role : roles.get(tokenId);
        return now !== undefined && isRoleAtLeast(now, role);
      }),
    );
  }

  async list(): Promise<TokenInfo[]> {
    return listTokens(this.#db);
  }

  /** Those that let somebody in now: one person's, or everybody's. */
  async listLive(userId?: UserId): Promise<TokenInfo[]> {
    return listTokens(this.#db, { liveAt: this.#now(), userId });
  }

  /** By id, or by name where only one live token has it. */
  async revoke(idOrName: string): Promise<TokenInfo> {
    const live = (await this.list()).filter((token) => token.revokedAt === null);
    const matches = live.filter((token) => token.id === idOrName || token.name === idOrName);
    const [match, another] = matches;
    if (match === undefined)
      throw new DragomanError(
        'not-found',
        `There is no active token with the ID or name ${JSON.stringify(idOrName)}. See: dragoman token list`,
      );
    if (another !== undefined)
      throw new DragomanError(
        'conflict',
        `${matches.length} tokens are named ${JSON.stringify(idOrName)}. Revoke one by its ID: ${matches.map(({ id }) => id).join(', ')}`,
      );
    return { ...match, revokedAt: await this.revokeById(match.id) };
  }

  /** Ends the token with that id and all that it made, from this moment on. */
  async revokeById(id: TokenId): Promise<number> {
    const revokedAt = this.#now();
    await revokeTokens(this.#db, [id], revokedAt);
    return revokedAt;
  }

  /** The token that answers for what a caller makes; see `makerOf`. */
  async makerOf(caller: Caller): Promise<TokenMaker | undefined> {
    return makerOf(this.#db, caller);
  }

  async hasLiveToken(): Promise<boolean> {
    const row = await this.#db
      .selectFrom('tokens')
      .select('id')
      .where('revoked_at', 'is', null)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', this.#now())]))
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** A code that logs one browser in, once. Old ones are cleared away on the way. */
  async createLoginCode(userId: UserId, validMs = LOGIN_CODE_MS, madeBy?: TokenId): Promise<string> {
    const code = newLoginCode();
    await this.#db.deleteFrom('login_codes').where('expires_at', '<=', this.#now()).execute();
    await this.#db
      .insertInto('login_codes')
      .values({
        hash: hashToken(code),
        user_id: userId,
        expires_at: this.#now() + validMs,
        made_by: madeBy ?? null,
      })
      .execute();
    return code;
  }

  /**
   * A login for the code's user, or nothing when the code is wrong, old or used: deleting it is what uses it up. One that is
   * another's than `expected` stays.
   */
  async redeemLoginCode(code: string, expected?: UserId): Promise<(BrowserLogin & { expiresAt: number }) | undefined> {
    const hash = hashToken(code);
    const now = this.#now();
    if (expected !== undefined) {
      const found = await this.#db
        .selectFrom('login_codes')
        .select('user_id')
        .where('hash', '=', hash)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      if (found !== undefined && found.user_id !== expected)
        throw new DragomanError('conflict', 'This login link is for a different user than the one who is logged in.');
    }
    const used = await this.#db
      .deleteFrom('login_codes')
      .where('hash', '=', hash)
      .where('expires_at', '>', now)
      .returning(['user_id', 'made_by'])
      .executeTakeFirst();
    if (used === undefined) return undefined;
    const user = await this.#db
      .selectFrom('users')
      .select(['id', 'name', 'role'])
      .where('id', '=', used.user_id)
      .executeTakeFirst();
    if (user === undefined) return undefined; // Removed at this very moment.
    const expiresAt = Math.min(this.#now() + BROWSER_LOGIN_MS, (await this.#expiryOf(used.made_by)) ?? Infinity);
    const { lookup, ...login } = newBrowserLogin();
    const madeBy = used.made_by ?? undefined;
    const token = { user, name: `browser ${day(this.#now())}`, role: user.role, expiresAt, madeBy };
    await this.#keepToken(token, { kind: 'browser', lookup, hash: hashLogin(login) });
    return { ...login, expiresAt };
  }

  async #keepToken(
    { user, name, role, expiresAt, madeBy, models }: NewToken,
    secret: { kind: TokenKind; lookup: string; hash: Uint8Array },
  ): Promise<TokenId> {
    if (!isRoleAtLeast(user.role, role))
      throw new DragomanError(
        'forbidden',
        `${user.name} has the role ${user.role}, so their tokens cannot have the role ${role}.`,
      );
    checkName('A token', name);
    const allowed = narrowModels(models, await modelsOfToken(this.#db, madeBy));
    const id = newId('tok');
    const row = { id, user_id: user.id, name, role, created_at: this.#now(), expires_at: expiresAt };
    await this.#db
      .insertInto('tokens')
      .values({ ...row, ...secret, made_by: madeBy ?? null, models: allowed, last_used_at: null, revoked_at: null })
      .execute();
    if (madeBy !== undefined && !(await this.#isLive(madeBy))) await this.revokeById(id); // Revoked at this very moment.
    return id;
  }

  async #isLive(id: TokenId): Promise<boolean> {
    return (await rolesOfTokens(this.#db, [id], this.#now())).has(id);
  }

  async #expiryOf(id: TokenId | null): Promise<number | undefined> {
    if (id === null) return undefined;
    const row = await this.#db.selectFrom('tokens').select('expires_at').where('id', '=', id).executeTakeFirst();
    return row?.expires_at ?? undefined;
  }

  async #findToken(lookup: string) {
    return this.#db
      .selectFrom('tokens')
      .innerJoin('users', 'users.id', 'tokens.user_id')
      .select([
        'tokens.id',
        'tokens.name',
        'tokens.role',
        'tokens.hash',
        'tokens.expires_at',
        'tokens.revoked_at',
        'tokens.last_used_at',
        'tokens.models',
      ])
      .select(['users.id as user_id', 'users.name as user_name', 'users.role as user_role'])
      .where('tokens.lookup', '=', lookup)
      .executeTakeFirst();
  }

  /** Nobody waits for it: where it cannot be written, such as on a full disk, what was asked for may still be done. */
  #noteUse(id: TokenId, lastUsedAt: number | null): void {
    const now = this.#now();
    const written = this.#lastUsedWrites.get(id) ?? lastUsedAt ?? 0;
    if (now - written < LAST_USED_STEP_MS) return;
    this.#lastUsedWrites.set(id, now);
    this.#db
      .updateTable('tokens')
      .set({ last_used_at: now })
      .where('id', '=', id)
      .execute()
      .catch((error: unknown) => this.#onUnnoted(error));
  }
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
