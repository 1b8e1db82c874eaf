/** More is of no use to a person, and every reader would carry it. */
const LONGEST_OUTPUT = 256 * 1024;
const TAIL = 64 * 1024;

/** The output of a call at a bearable length: its beginning and its end. */
export function boundOutput(text: string): string {
  if (text.length <= LONGEST_OUTPUT) return text;
  const left = text.length - LONGEST_OUTPUT;
  return `${text.slice(0, LONGEST_OUTPUT - TAIL)}\n[… ${left} characters left out …]\n${text.slice(-TAIL)}`;
}
