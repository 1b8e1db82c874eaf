import * as vscode from 'vscode';

/** The same words in every language: texts, and functions where a number or a name stands in the text. */
type SameWords<Words> = {
  [Key in keyof Words]: Words[Key] extends string
    ? string
    : Words[Key] extends (...given: infer Given) => string
      ? (...given: Given) => string
      : SameWords<Words[Key]>;
};

/**
 * The words of one part of the extension, in every language side by side: what is missing in one is an error of the compiler.
 *
 * A part keeps them in its own folder, as `<part>-words.ts`. Texts of the manifest are in `package.nls*.json`.
 */
export function defineWords<const Words extends object>(words: {
  en: Words;
  zh: SameWords<Words>;
}): {
  en: SameWords<Words>;
  zh: SameWords<Words>;
  /** In the language of the editor. */
  now(): SameWords<Words>;
} {
  const en = words.en as unknown as SameWords<Words>;
  return { en, zh: words.zh, now: () => (isChinese(vscode.env.language) ? words.zh : en) };
}

/** Whether the editor speaks Chinese; every other language gets English. */
export function isChinese(language: string): boolean {
  return language.toLowerCase().startsWith('zh');
}
