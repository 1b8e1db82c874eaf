import type { Phrase } from './parse-query.ts';

/** What people look for is more often what was said than what a tool printed. */
const BY_KIND: Readonly<Record<string, number>> = { title: 2, text: 1 };

/**
 * How well a text answers: whole words count more than beginnings, and words in the order of the question next to each
 * other more than words anywhere.
 */
export function rankMatch({ kind, words }: { kind: string; words: string }, phrases: readonly Phrase[]): number {
  const text = ` ${words} `;
  const whole = phrases.filter(({ keys }) => text.includes(` ${keys.join(' ')} `)).length / phrases.length;
  const inOrder = phrases.flatMap(({ keys }) => keys).join(' ');
  const isTogether = phrases.length > 1 && text.includes(` ${inOrder}`);
  return whole + Number(isTogether) + (BY_KIND[kind] ?? 0);
}
