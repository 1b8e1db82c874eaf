import { splitWords } from './split-words.ts';

/** Words that stand next to each other. The last one may be a beginning. */
export interface Phrase {
  keys: readonly string[];
  isPrefix: boolean;
}

/** More than this in one question finds nothing that fewer do not. */
const MAX_WORDS = 40;

/**
 * What a person typed, as phrases that must all be there. What stands in quotes is one; otherwise what has no space
 * inside is one: `foo.bar` finds `foo.bar`, `登录` finds 登录 in any sentence, and `tok` finds `token`.
 */
export function parseQuery(query: string): Phrase[] {
  const phrases: Phrase[] = [];
  let room = MAX_WORDS;
  for (const [, quoted, bare] of query.matchAll(/"([^"]*)"?|([^\s"]+)/gu)) {
    const words = [...splitWords((quoted ?? bare)!)].slice(0, room);
    room -= words.length;
    if (words.length === 0) continue;
    phrases.push({
      keys: words.map(({ key }) => key),
      isPrefix: quoted === undefined && !words.at(-1)!.isSingle,
    });
  }
  return phrases;
}

/** For SQLite. Keys are letters and digits, so nothing needs to be escaped. */
export function toMatch(phrases: readonly Phrase[]): string {
  return phrases.map(({ keys, isPrefix }) => `"${keys.join(' ')}"${isPrefix ? ' *' : ''}`).join(' AND ');
}

/** For PostgreSQL. */
export function toTsQuery(phrases: readonly Phrase[]): string {
  return phrases.map(({ keys, isPrefix }) => `(${keys.join(' <-> ')}${isPrefix ? ':*' : ''})`).join(' & ');
}
