import { headWithin } from './card-limits.ts';
import type { CardWords } from './card-words.ts';
import { cleanText } from './clean-text.ts';

/** As much of a text as fits, with what was left out told where there are words for it. */
export function withinWords(text: string, bytes: number, words?: CardWords): string {
  const clean = cleanText(text.slice(0, bytes).replace(/[\ud800-\udbff]$/, ''));
  const head = headWithin(clean, bytes);
  if (head.length === clean.length && text.length <= bytes) return head;
  return words === undefined ? `${head} …` : `${head}\n\n${words.textLeftOut}`;
}
