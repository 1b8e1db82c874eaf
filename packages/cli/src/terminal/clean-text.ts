/** C0 but for tab and line feed, DEL, C1, marks that turn the direction of writing, separators that are no line feed, halves of a pair. */
const UNSAFE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
// oxlint-disable-next-line no-control-regex
const COLOR = /(\u001B\[[\d;]*m)/;
const PICTURES = 0x2400;
const PICTURE_OF_DELETE = '\u2421';

/**
 * Text of a model or a tool as a terminal may get it: nothing in it moves the cursor, rings, renames the window or turns
 * the order of letters around.
 *
 * What is taken out stays visible as a picture of itself (`␛`), so that a person sees that it was there. Each character is
 * judged alone, which is why it does not matter how a text was cut. Line feeds and tabs stay.
 */
export function cleanText(text: string): string {
  return text.replace(UNSAFE, picture);
}

/** The same for a place that has one line only. */
export function cleanLine(text: string): string {
  return cleanText(text.replace(/\s+/g, ' ').trim());
}

/** The same for a path: on one line, and with the spaces that are in it. */
export function cleanPath(path: string): string {
  return cleanText(path).replace(/[\t\n]/g, (char) => String.fromCharCode(PICTURES + char.charCodeAt(0)));
}

/** The same for a text with colours: they stay, and nothing else that a terminal would act on. */
export function cleanPainted(text: string): string {
  return text
    .split(COLOR)
    .map((piece, index) => (index % 2 === 0 ? cleanText(piece) : piece))
    .join('');
}

function picture(char: string): string {
  const code = char.charCodeAt(0);
  if (char === '\r') return '';
  if (code < 0x20) return String.fromCharCode(PICTURES + code);
  if (code === 0x7f) return PICTURE_OF_DELETE;
  return code === 0x2028 || code === 0x2029 ? ' ' : '\uFFFD';
}
