/** Text of somebody else inside a note: on one line, and nothing in it is Markdown. */
export function plainLine(text: string, mostChars = 200): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  const short = line.length <= mostChars ? line : `${cutWell(line, mostChars - 1).trimEnd()}…`;
  return short.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}

/** Text of somebody else as a block of its own, as it is. */
export function fenced(text: string, mostChars = 2_000): string {
  const short = text.length <= mostChars ? text : `${cutWell(text, mostChars - 1)}…`;
  const longest = Math.max(2, ...(short.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${short}\n${fence}`;
}

/** Never half of a character. */
function cutWell(text: string, chars: number): string {
  return text
    .slice(0, chars)
    .toWellFormed()
    .replace(/\uFFFD$/u, '');
}
