import { nearestWord } from './nearest-word.ts';

/** The few candidates that were probably meant, the nearest first. */
export function nearestWords(word: string, candidates: Iterable<string>, most: number): string[] {
  const left = new Set(candidates);
  const found: string[] = [];
  while (found.length < most) {
    const near = nearestWord(word, left);
    if (near === undefined) break;
    found.push(near);
    left.delete(near);
  }
  return found;
}
