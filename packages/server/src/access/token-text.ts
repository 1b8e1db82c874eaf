import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Upper case and digits only: a well-known client upper-cases the token it was given before it sends it. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const PREFIX = 'DGM_';
const LOOKUP_CHARS = 8;
const SECRET_CHARS = 32;
const TOKEN = new RegExp(`^${PREFIX}([A-Z2-7]{${LOOKUP_CHARS}})[A-Z2-7]{${SECRET_CHARS}}$`);

/** A fresh token: a part to find its row by, and 160 random bits that only its holder has. */
export function newTokenText(): { text: string; lookup: string } {
  const lookup = randomChars(LOOKUP_CHARS);
  return { text: `${PREFIX}${lookup}${randomChars(SECRET_CHARS)}`, lookup };
}

/**
 * The login of a browser: what its cookie says, and what the server's pages keep for themselves.
 *
 * A browser sends a cookie to every port of a host, so that alone must let nobody in.
 */
export interface BrowserLogin {
  cookie: string;
  pageSecret: string;
}

/** A fresh login: its cookie looks like a token, so that its row is found the same way. */
export function newBrowserLogin(): BrowserLogin & { lookup: string } {
  const { text, lookup } = newTokenText();
  return { cookie: text, pageSecret: randomChars(SECRET_CHARS), lookup };
}

/** The part of a token that its row is found by, or nothing when this is not one of our tokens. */
export function tokenLookup(text: string): string | undefined {
  return TOKEN.exec(text)?.[1];
}

export function newLoginCode(): string {
  return randomChars(SECRET_CHARS);
}

/** Tokens are random, so one round of a fast hash keeps them as safe as a slow one would. */
export function hashToken(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

/** Both secrets in one hash: the row of a login matches neither of them alone. */
export function hashLogin({ cookie, pageSecret }: BrowserLogin): Uint8Array {
  return hashToken(`${cookie} ${pageSecret}`);
}

/** Takes the same time whether the first byte differs or the last one. */
export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}

function randomChars(count: number): string {
  return Array.from(randomBytes(count), (byte) => ALPHABET[byte & 31]).join('');
}
