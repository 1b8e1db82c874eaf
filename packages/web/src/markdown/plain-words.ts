/** A text without the signs of Markdown that say nothing in one line. */
export function plainWords(text: string): string {
  return text.replaceAll(/\*\*|`+|^#+ /gm, '');
}
