/** Whether a text has a line of more than so many characters. */
export function hasLongLine(text: string, most: number): boolean {
  for (let start = 0; text.length - start > most;) {
    const end = text.indexOf('\n', start);
    if (end === -1 || end - start > most) return true;
    start = end + 1;
  }
  return false;
}
