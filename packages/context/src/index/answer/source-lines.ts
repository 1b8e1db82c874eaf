/** The lines of a text as editors count them: the end of the last line begins no other. Of a long one, the first `most`. */
export function sourceLines(text: string, most = Infinity): string[] {
  const lines = most === Infinity ? text.split('\n') : text.split('\n', most);
  if (lines.length > 1 && lines.length < most && lines.at(-1) === '') lines.pop();
  return text.includes('\r') ? lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)) : lines;
}
