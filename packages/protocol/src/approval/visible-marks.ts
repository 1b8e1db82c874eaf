/**
 * A text in which nothing is hidden, for what people decide by: titles, commands, options, names of files.
 *
 * Every mark that is not seen, or that turns the order of letters around, is shown by its number. Left alone are those that
 * belong to what is seen: inside of an emoji, and joiners between letters of scripts that are written with them.
 */
export function visibleMarks(text: string): string {
  return rewritten(text, shownMark);
}

/**
 * A text to be read, such as an answer. What turns the order of letters around is shown, what else is not seen is left out;
 * the marks that writers of scripts from right to left need stay.
 */
export function readableMarks(text: string): string {
  return rewritten(text, (mark) => {
    if (/[\u202a-\u202e\u2066-\u2069]/.test(mark)) return shownMark(mark);
    return /[\u061c\u200e\u200f]/.test(mark) ? mark : '';
  });
}

// oxlint-disable-next-line no-control-regex, no-misleading-character-class -- these are what it is about
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Scripts in which a joiner decides how the letters beside it are written. */
const JOINING =
  'Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Khmer Malayalam Mongolian Myanmar Oriya Sinhala Syriac Tamil Telugu';
const JOINING_LETTER = `[${JOINING.replaceAll(/\w+ ?/g, (script) => `\\p{Script=${script.trim()}}`)}]`;
const PICTURE = String.raw`\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?`;

/** What is kept comes first, so that a hidden mark within it is not found. */
const KEPT_OR_HIDDEN = new RegExp(
  [
    String.raw`(?<kept>\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}`,
    String.raw`${PICTURE}(?:\u200d${PICTURE})*`,
    String.raw`[\d#*]\ufe0f\u20e3`,
    // One selector of a form, as it is written behind Chinese characters and signs.
    String.raw`(?![ -~])[\p{L}\p{S}\p{P}][\ufe00-\ufe0f\u{e0100}-\u{e01ef}](?![\ufe00-\ufe0f\u{e0100}-\u{e01ef}])`,
    String.raw`(?<=${JOINING_LETTER})[\u200c\u200d](?=${JOINING_LETTER}|[\s\p{P}]|$))`,
    HIDDEN.source,
  ].join('|'),
  'gu',
);

function rewritten(text: string, show: (mark: string) => string): string {
  const lines = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
  if (!HIDDEN.test(lines)) return lines;
  return lines.replaceAll(KEPT_OR_HIDDEN, (found, kept: unknown) => (typeof kept === 'string' ? found : show(found)));
}

function shownMark(mark: string): string {
  const code = mark.codePointAt(0)!;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
