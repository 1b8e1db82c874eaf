import { createHash, randomBytes } from 'node:crypto';
import type { TokenId, UserId } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { HubTables } from '../../hub-tables.ts';
import type { Language } from '../channel.ts';

/** How long a code is good. */
const CODE_MINUTES = 10;

/** Crockford's alphabet: nothing in it is taken for something else when it is read aloud or copied by hand. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHARS = 8;
const CODE = new RegExp(`^[${ALPHABET}]{${CHARS}}$`);

/**
 * Makes a code that binds one account to a user, once. It is stored hashed, and an earlier one of the same user is good
 * no more.
 */
export async function createBindCode(
  db: Kysely<HubTables>,
  { userId, language, madeBy }: { userId: UserId; language: Language; madeBy?: TokenId | undefined },
  now: number,
): Promise<{ code: string; expiresAt: number }> {
  const chars = Array.from(randomBytes(CHARS), (byte) => ALPHABET[byte & 31]).join('');
  const expiresAt = now + CODE_MINUTES * 60_000;
  await db.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom('hub_bind_codes')
      .where((row) => row.or([row('expires_at', '<=', now), row('user_id', '=', userId)]))
      .execute();
    await transaction
      .insertInto('hub_bind_codes')
      .values({ hash: hashOf(chars), user_id: userId, language, expires_at: expiresAt, made_by: madeBy ?? null })
      .execute();
  });
  return { code: `${chars.slice(0, 4)}-${chars.slice(4)}`, expiresAt };
}

/** Uses a code up, and says whose it was. Nothing for one that is wrong, too old, or was used before. */
export async function takeBindCode(
  db: Kysely<HubTables>,
  text: string,
  now: number,
): Promise<{ userId: UserId; language: Language; madeBy: TokenId | null } | undefined> {
  const chars = readCode(text);
  if (chars === undefined) return undefined;
  const row = await db
    .deleteFrom('hub_bind_codes')
    .where('hash', '=', hashOf(chars))
    .returning(['user_id', 'language', 'expires_at', 'made_by'])
    .executeTakeFirst();
  if (row === undefined || row.expires_at <= now) return undefined;
  return { userId: row.user_id, language: row.language, madeBy: row.made_by };
}

/** The characters of a code as people write it: in any case, with or without the hyphen, with o for 0 and l for 1. */
export function readCode(text: string): string | undefined {
  const chars = text
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return CODE.test(chars) ? chars : undefined;
}

/** What a code is known by once it is used; nobody can read it from that. */
export function codeMark(text: string): string | undefined {
  const chars = readCode(text);
  return chars && Buffer.from(hashOf(chars)).toString('hex');
}

function hashOf(chars: string): Uint8Array {
  return createHash('sha256').update(chars).digest();
}
