import type { NamedCode } from './file-pairs.ts';
import { type Pair, QUERY_WORDS } from './pair.ts';
import { wordsOf } from './words-of.ts';

const MOST_OF_A_NAME = 3;

/** Sentences of documentation that name something the code defines, with that code; half of them without the name. */
export function docPairs(
  documents: readonly string[],
  defined: ReadonlyMap<string, NamedCode | undefined>,
  most: number,
): Pair[] {
  const used = new Map<string, number>();
  const pairs: Pair[] = [];
  for (const text of documents) {
    let heading = '';
    for (const paragraph of text.split(/\n\s*\n/)) {
      heading = /^#{1,5}\s+(.+)$/m.exec(paragraph)?.[1] ?? heading;
      if (/^(```|\s{4}|\|)/.test(paragraph) || paragraph.length > 1200) continue;
      for (const [, symbol] of paragraph.matchAll(/`{1,2}([A-Za-z_][\w.:$]*)(?:\([^`]*\))?`{1,2}/g)) {
        const name = symbol!.split(/[.:]+/).at(-1)!;
        const place = defined.get(name);
        const count = used.get(name) ?? 0;
        if (place === undefined || name.length < 5 || count >= MOST_OF_A_NAME || pairs.length >= most) continue;
        const sentence =
          paragraph
            .replaceAll(/\s+/g, ' ')
            .split(/(?<=[.!?])\s+|(?<=[。！？])/)
            .find((one) => one.includes(name)) ?? paragraph;
        const said = `${heading} ${sentence.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/https?:\/\/\S+/g, ' ')}`;
        const query = wordsOf(count % 2 === 0 ? said.replaceAll(name, ' ') : said, QUERY_WORDS);
        if (query.length < 4) continue;
        used.set(name, count + 1);
        pairs.push({ kind: 'md', path: place.path, query, code: place.code });
      }
    }
  }
  return pairs;
}
