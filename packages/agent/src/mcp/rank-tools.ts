import type { Tool } from '../tools/tool.ts';

const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
/** A word of the name says more than one of the description. */
const NAME_WEIGHT = 3;

/** What is searched of a tool. */
export type SearchedTool = Pick<Tool.Info, 'id' | 'description'>;

/**
 * The tools that fit a query best, the best first; those that share no word with it are left out.
 *
 * Okapi BM25 over names and descriptions: rare words count more, and long descriptions do not win by their length.
 */
export function rankTools<Searched extends SearchedTool>(
  tools: readonly Searched[],
  query: string,
  limit: number,
): Searched[] {
  const documents = tools.map((tool) => ({ tool, counts: countWords(tool) }));
  const averageLength = documents.reduce((sum, { counts }) => sum + total(counts), 0) / Math.max(1, documents.length);
  const words = [...new Set(wordsOf(query))];
  const rarity = new Map(
    words.map((word) => {
      const having = documents.filter(({ counts }) => counts.has(word)).length;
      return [word, Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))] as const;
    }),
  );
  return documents
    .map(({ tool, counts }) => {
      const length = total(counts) / Math.max(1, averageLength);
      const score = words.reduce((sum, word) => {
        const count = counts.get(word) ?? 0;
        const weight = count + SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length);
        return sum + (rarity.get(word)! * count * (SATURATION + 1)) / weight;
      }, 0);
      return { tool, score: tool.id === query.trim() ? Number.POSITIVE_INFINITY : score };
    })
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || (one.tool.id < other.tool.id ? -1 : 1))
    .slice(0, limit)
    .map(({ tool }) => tool);
}

function countWords({ id, description }: SearchedTool): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
  };
  add(id, NAME_WEIGHT);
  add(description, 1);
  return counts;
}

/** `listOpenIssues` and `list_open_issues` are the same three words; a plural is its singular; CJK is read by character. */
function wordsOf(text: string): string[] {
  const apart = text.replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').toLowerCase();
  const words = apart.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{N}]+/gu);
  return (words ?? []).map((word) => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word));
}

function total(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}
