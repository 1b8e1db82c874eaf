/** First and last of what is as wide as two letters: East Asian wide and full-width characters, emoji apart. */
const WIDE = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
] as const;
/** Wide ones that never join with another: nearly all of Chinese, Japanese and Korean. */
const PLAIN_WIDE = /^[\u3001-\u3029\u3041-\u3096\u309B-\u30FF\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3\uFF01-\uFF60]*$/;
const EMOJI = /\p{Emoji_Presentation}|\uFE0F|\p{Regional_Indicator}/u;
/** Marks that stand on the letter before, signs without a shape, and the vowels and finals inside a Hangul syllable. */
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11FF]/u;
/** Letters and signs that are one column each and never join: nearly all that is shown. Taking it apart costs nothing. */
const PLAIN =
  /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027\u2030-\u203B\u2190-\u21FF\u2500-\u25FC\u2713\u2717\u2800-\u28FF]*$/;

let segmenter: Intl.Segmenter | undefined;

/** How many columns a text takes on a terminal. It must have no control characters. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  if (PLAIN_WIDE.test(text)) return text.length * 2;
  let width = 0;
  for (const grapheme of graphemes(text)) width += graphemeWidth(grapheme);
  return width;
}

/** What a reader takes for single characters, so that a family of emoji is one. */
export function graphemes(text: string): string[] {
  if (PLAIN.test(text) || PLAIN_WIDE.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Never smaller for a longer grapheme: a line that was found full stays full however its text came in. */
export function graphemeWidth(grapheme: string): number {
  if (EMOJI.test(grapheme)) return 2;
  let width = 0;
  for (const char of grapheme) if (!NO_WIDTH.test(char)) width += isWide(char) ? 2 : 1;
  return width;
}

export function isWide(char: string): boolean {
  const code = char.codePointAt(0)!;
  return code >= WIDE[0][0] && WIDE.some(([first, last]) => code >= first && code <= last);
}

/** The text, or as much of it as has room, with `…` where it was cut. */
export function cutToWidth(text: string, width: number): string {
  if (text.length <= width && PLAIN.test(text)) return text;
  // No grapheme is known to take less than a column per 32 characters or so: what is far too long is not measured whole.
  const near = Number.isFinite(width) ? text.slice(0, width * 32 + 32) : text;
  if (near.length === text.length && textWidth(text) <= width) return text;
  let cut = '';
  let used = 1;
  for (const grapheme of graphemes(near)) {
    used += graphemeWidth(grapheme);
    if (used > width) break;
    cut += grapheme;
  }
  return `${cut.trimEnd()}…`;
}
