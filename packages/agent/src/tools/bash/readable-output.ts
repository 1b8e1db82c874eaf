const DECODER = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
/** How much of a text may be unreadable before it is no text. */
const MOST_UNREADABLE = 0.3;
const SAMPLE_CHARS = 4096;

const [ESCAPE, BELL] = ['\u001b', '\u0007'];
/** Colours, cursor movements and window titles that a program sends although it was asked not to. */
const TERMINAL_SEQUENCES = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?|[()][A-Z0-9]|[@-Z\\\\^_])`,
  'g',
);
const CONTROLS = /[^\P{Cc}\t\n\r]/gu;

/**
 * The bytes of a program's output as text that a model or a person can read.
 *
 * Bytes that are no UTF-8 become U+FFFD, control characters their pictures (`␀`), and of a line that was written over
 * with carriage returns the last state stays. What is mostly not text is only described. A piece that was cut out of a
 * longer output starts and ends with whole characters.
 */
export function readableOutput(bytes: Uint8Array, cut: { isCutAtStart?: boolean; isCutAtEnd?: boolean } = {}): string {
  const start = cut.isCutAtStart === true ? firstCharacter(bytes) : 0;
  const end = cut.isCutAtEnd === true ? endOfCharacters(bytes) : bytes.length;
  const text = DECODER.decode(bytes.subarray(start, end));
  if (isBinary(text)) return `[${bytes.length} bytes of binary output]`;
  return text
    .replace(TERMINAL_SEQUENCES, '')
    .replace(/[^\n]+/g, lastState)
    .replace(CONTROLS, picture);
}

/** What stays of a line: whatever comes behind a carriage return is written over what stood there. */
function lastState(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end--;
  return line.slice(end === 0 ? 0 : line.lastIndexOf('\r', end - 1) + 1, end);
}

function isBinary(text: string): boolean {
  const sample = text.slice(0, SAMPLE_CHARS).replace(TERMINAL_SEQUENCES, '');
  const unreadable = (sample.match(CONTROLS)?.length ?? 0) + (sample.match(/\ufffd/g)?.length ?? 0);
  return sample.length >= 16 && unreadable > sample.length * MOST_UNREADABLE;
}

function picture(control: string): string {
  const code = control.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd';
}

/** Bytes 10xxxxxx continue a character that began before. */
function firstCharacter(bytes: Uint8Array): number {
  let at = 0;
  while (at < 3 && at < bytes.length && (bytes[at]! & 0xc0) === 0x80) at++;
  return at;
}

function endOfCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
