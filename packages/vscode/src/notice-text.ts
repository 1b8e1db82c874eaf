/** A text as a notice shows it, to the letter: the editor makes links of brackets, also such that run a command. */
export function noticeText(text: string): string {
  return text.replaceAll('](', '] (');
}
