import { readPairs } from '../pairs-file.ts';

/** How many rows the table has at most; Chinese has a share of its own, since fewer repositories speak it. */
const ROWS = { english: 14_500, chinese: 5_500 };
/** That several repositories use a word keeps the names of projects out. */
const REPOSITORIES = 3;
const CHINESE_COUNT = 12;
/** A question is short, so each of its words counts more than one of the code. */
const ASKED_WEIGHT = 3;
const MOST_OF_A_REPOSITORY = 20_000;

/** The words that get a row, the most frequent first. */
export async function chooseWords(files: readonly string[]): Promise<string[]> {
  const counts = new Map<string, number>();
  const seenIn = new Map<string, number>();
  for (const file of files)
    for (const [word, count] of await countWords(file)) {
      counts.set(word, (counts.get(word) ?? 0) + Math.min(count, MOST_OF_A_REPOSITORY));
      seenIn.set(word, (seenIn.get(word) ?? 0) + 1);
    }
  // Of a handful of repositories, half.
  const least = Math.min(REPOSITORIES, Math.ceil(files.length / 2));
  const weight = (word: string) => counts.get(word)! * Math.log(1 + seenIn.get(word)!);
  const byWeight = (one: string, other: string) => weight(other) - weight(one);
  const best = (isOfKind: (word: string) => boolean, most: number) =>
    [...counts.keys()]
      .filter((word) => isOfKind(word) && seenIn.get(word)! >= least)
      .toSorted(byWeight)
      .slice(0, most);
  const english = best((word) => /^[a-z]+\d{0,4}$|^\d{3}$/.test(word) && word.length > 1, ROWS.english);
  const chinese = best(
    (word) => /^[\u3400-\u9fff]{1,2}$/.test(word) && counts.get(word)! >= CHINESE_COUNT,
    ROWS.chinese,
  );
  return [...english, ...chinese].toSorted(byWeight);
}

async function countWords(file: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { query, code } of readPairs(file)) {
    for (const word of query) counts.set(word, (counts.get(word) ?? 0) + ASKED_WEIGHT);
    for (const word of code) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}
