const FROM_RIGHT = String.raw`[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]`;
const LETTER_FROM_RIGHT = new RegExp(FROM_RIGHT, 'u');
const LETTERS_FROM_RIGHT = new RegExp(`${FROM_RIGHT}+`, 'gu');

/** Whether it has letters of a script that is written from right to left, which turn around what stands between them. */
export function hasLettersFromRight(text: string): boolean {
  return LETTER_FROM_RIGHT.test(text);
}

/** The same line with marks of order around such letters, so that each word stays in its place among the others. */
export function inWrittenOrder(line: string): string {
  return line.replaceAll(LETTERS_FROM_RIGHT, '\u200e$&\u200e');
}
