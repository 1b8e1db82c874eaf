import type { Option } from './option.ts';

/** The options that fit what was typed, the best first; as they were among equals. */
export function rankOptions(options: readonly Option[], typed: string): readonly Option[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return options;
  return options
    .flatMap((option) => {
      const fit = fitOf(words, option);
      return fit === undefined ? [] : [{ option, fit }];
    })
    .toSorted((one, other) => one.fit - other.fit)
    .map(({ option }) => option);
}

/** Less is better. Every word must be found: what is shown counts more than what is only known. */
function fitOf(words: readonly string[], { text, about = '', also = '' }: Option): number | undefined {
  const places = [text, `${about} ${also}`].map((place) => place.toLowerCase());
  let sum = 0;
  for (const word of words) {
    const fits = places.flatMap((place, index) => {
      const fit = fitIn(place, word);
      return fit === undefined ? [] : [fit + index * 4];
    });
    if (fits.length === 0) return undefined;
    sum += Math.min(...fits);
  }
  return sum;
}

function fitIn(place: string, word: string): number | undefined {
  const at = place.indexOf(word);
  if (at === 0) return 0;
  if (at > 0) return /[\p{L}\p{N}]/u.test(place[at - 1]!) ? 2 : 1;
  return hasInOrder(place, word) ? 3 : undefined;
}

/** The letters stand in it one after the other, with others between them; one letter alone would fit nearly all. */
function hasInOrder(place: string, word: string): boolean {
  if (word.length < 2) return false;
  let from = 0;
  for (const letter of word) {
    const at = place.indexOf(letter, from);
    if (at === -1) return false;
    from = at + letter.length;
  }
  return true;
}
