import { type Language, useLanguage } from './language.ts';

/** The same words in every language: texts, and functions where a number or a name stands in the text. */
type SameWords<Words> = {
  [Key in keyof Words]: Words[Key] extends string
    ? string
    : Words[Key] extends (...given: infer Given) => string
      ? (...given: Given) => string
      : SameWords<Words[Key]>;
};

/**
 * The words of a page or a part, in every language side by side: what is missing in one is an error of the compiler.
 *
 * A page keeps them in its own folder, so they are loaded with it.
 */
export function defineWords<const Words extends object>(words: {
  en: Words;
  zh: SameWords<Words>;
}): Record<Language, SameWords<Words>> & { use(): SameWords<Words> } {
  const all = { en: words.en as unknown as SameWords<Words>, zh: words.zh };
  return { ...all, use: () => all[useLanguage()] };
}
