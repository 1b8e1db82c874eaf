import { z } from 'zod';

/** What an id names; the prefix stands at the front of every id, so that one is recognised in a log or a link. */
export type IdPrefix =
  | 'usr'
  | 'tok'
  | 'req'
  | 'call'
  | 'rep'
  | 'seg'
  | 'wsp'
  | 'ckp'
  | 'ses'
  | 'msg'
  | 'prt'
  | 'trn'
  | 'apr'
  | 'job'
  | 'blk'
  | 'run'
  | 'rul'
  | 'att'
  | 'ask'
  | 'rvt'
  | 'sub'
  | 'ntf'
  | 'pst';

/** `tok_01jd3v…`: a prefix, then 26 characters that sort by the time they were made. */
export type Id<Prefix extends IdPrefix> = `${Prefix}_${string}` & { readonly idOf: Prefix };

export type UserId = Id<'usr'>;
export type TokenId = Id<'tok'>;
export type RequestId = Id<'req'>;

/** What ids are made from, so that a test can hold both still. */
export interface IdSources {
  now: () => number;
  randomBytes: (count: number) => Uint8Array;
}

/** Crockford's alphabet: in ASCII order, without i, l, o and u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;

/**
 * A maker of ids whose text order is the order in which they were made.
 *
 * Two ids of the same millisecond keep that order, because the second continues counting from the random part of the
 * first. A clock that steps back does not break it either: time never runs backwards inside one maker.
 */
export function createIdMaker(sources: IdSources): <Prefix extends IdPrefix>(prefix: Prefix) => Id<Prefix> {
  let lastTime = -1;
  let digits = new Uint8Array(RANDOM_CHARS);

  return (prefix) => {
    const time = sources.now();
    if (time > lastTime) {
      lastTime = time;
      digits = sources.randomBytes(RANDOM_CHARS).map((byte) => byte & 31);
      digits[0]! &= 15; // Leaves room to count up within one millisecond.
    } else {
      countUp(digits);
    }
    return `${prefix}_${encodeTime(lastTime)}${encodeDigits(digits)}` as Id<typeof prefix>;
  };
}

export const newId = createIdMaker({ now: Date.now, randomBytes: pooledRandom() });

/** Accepts ids of one kind and gives them their type. */
export function idSchema<Prefix extends IdPrefix>(prefix: Prefix): z.ZodType<Id<Prefix>> {
  const pattern = new RegExp(`^${prefix}_[${ALPHABET}]{${TIME_CHARS + RANDOM_CHARS}}$`);
  return z.custom<Id<Prefix>>(
    (value) => typeof value === 'string' && pattern.test(value),
    `expected an id that starts with ${prefix}_`,
  );
}

/** The moment an id was made, in milliseconds since 1970. */
export function idTime(id: Id<IdPrefix>): number {
  const start = id.indexOf('_') + 1;
  let time = 0;
  for (const char of id.slice(start, start + TIME_CHARS)) time = time * 32 + ALPHABET.indexOf(char);
  return time;
}

/** Asking for random bytes costs the same for many as for few, so many are kept. */
function pooledRandom(): (count: number) => Uint8Array {
  const pool = new Uint8Array(4096);
  let used = pool.length;
  return (count) => {
    if (used + count > pool.length) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    used += count;
    return pool.slice(used - count, used);
  };
}

function countUp(digits: Uint8Array): void {
  for (let index = digits.length - 1; index >= 0; index--) {
    digits[index] = (digits[index]! + 1) & 31;
    if (digits[index] !== 0) return;
  }
}

function encodeTime(time: number): string {
  let text = '';
  for (let rest = time; text.length < TIME_CHARS; rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32]! + text;
  return text;
}

function encodeDigits(digits: Uint8Array): string {
  let text = '';
  for (const digit of digits) text += ALPHABET[digit]!;
  return text;
}
