/** A list shows so much of a title on one line. */
const TITLE_CHARS = 80;

/** What a session is called by the first words that were said in it: a line of them, cut at a word. */
export function titleOfWords(words = '', mostChars = TITLE_CHARS): string {
  // A pasted text may be large, and its title stands at its beginning.
  const beginning = words
    .trimStart()
    .slice(0, TITLE_CHARS * 50)
    .toWellFormed();
  const line = beginning
    .split(/[\r\n]/, 1)[0]!
    .replace(/\s+/gu, ' ')
    .trim();
  if (line.length <= mostChars) return line;
  const most = line.slice(0, mostChars - 1);
  const isWhole = line[most.length] === ' ';
  const end = isWhole ? most.length : most.lastIndexOf(' ');
  // Where the last whole word would leave too little, as in scripts without spaces, the title ends inside of it.
  const kept = end >= mostChars / 2 ? most.slice(0, end) : wholeSigns(line, mostChars - 1);
  return `${kept.replace(/[\s,;:–—-]+$/u, '')}…`;
}

/** As many whole characters as fit, also of those that are put together of several. */
function wholeSigns(line: string, mostChars: number): string {
  let end = 0;
  for (const { index, segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(line)) {
    if (index + segment.length > mostChars) break;
    end = index + segment.length;
  }
  return line.slice(0, end);
}
