import { setImmediate } from 'node:timers/promises';

/** Others have their turn after so many. */
const IN_ONE_GO = 10_000;

/**
 * Paths that have the letters of what was typed in that order, the likeliest first: letters that follow each other, that
 * begin a word, and that are in the file's own name count more, and of two that are alike the shorter one is first.
 * Several words must all be found, in any order.
 */
export async function rankPaths(paths: readonly string[], typed: string): Promise<string[]> {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked: { path: string; score: number }[] = [];
  for (const [at, path] of paths.entries()) {
    const score = scorePath(path, words);
    if (score !== undefined) ranked.push({ path, score });
    if (at % IN_ONE_GO === IN_ONE_GO - 1) await setImmediate();
  }
  return ranked
    .sort((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}

/** How well words fit a path; undefined where one of them is not in it. */
function scorePath(path: string, words: readonly string[]): number | undefined {
  const lower = path.toLowerCase();
  const nameAt = lower.lastIndexOf('/') + 1;
  // Long paths and deep ones are a little less likely.
  let score = -lower.length / 50 - depthOf(lower) / 2;
  for (const word of words) {
    const inName = scoreWord(path, lower, word, nameAt);
    const found = inName === undefined ? scoreWord(path, lower, word, 0) : inName + IN_NAME;
    if (found === undefined) return undefined;
    score += found + (lower.length - nameAt === word.length && inName !== undefined ? WHOLE_NAME : 0);
  }
  return score;
}

const IN_NAME = 10;
const WHOLE_NAME = 20;
const LETTER = 1;
const FOLLOWS = 4;
const BEGINS_WORD = 6;
const MOST_GAP = 10;

/** The shortest stretch that has the letters, found by going to its end and back again. */
function scoreWord(path: string, lower: string, word: string, from: number): number | undefined {
  const whole = lower.indexOf(word, from);
  if (whole >= 0) return word.length * LETTER + (word.length - 1) * FOLLOWS + beginning(path, whole);
  let at = from - 1;
  for (let letter = 0; letter < word.length; letter += 1) {
    at = lower.indexOf(word[letter]!, at + 1);
    if (at < 0) return undefined;
  }
  let score = word.length * LETTER;
  for (let letter = word.length - 2; letter >= 0; letter -= 1) {
    const behind = at;
    at = lower.lastIndexOf(word[letter]!, behind - 1);
    score += behind === at + 1 ? FOLLOWS : beginning(path, behind) - Math.min(behind - at - 1, MOST_GAP) / 2;
  }
  return score + beginning(path, at);
}

function beginning(path: string, at: number): number {
  if (at === 0 || /[^\p{L}\p{N}]/u.test(path[at - 1] ?? '')) return BEGINS_WORD;
  return /\p{Lu}/u.test(path[at] ?? '') && /\p{Ll}/u.test(path[at - 1] ?? '') ? BEGINS_WORD : 0;
}

function depthOf(path: string): number {
  let depth = 0;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) depth += 1;
  return depth;
}
