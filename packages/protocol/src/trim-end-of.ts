/** A text without this character at its end. A pattern such as `/x+$/` looks at each run of it as often as it is long. */
export function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
