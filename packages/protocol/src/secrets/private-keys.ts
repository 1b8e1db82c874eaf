const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
/** Far longer than any key. */
const MAX_BODY_LENGTH = 16_384;

/** What stands between the two lines: base64, with line breaks that may be escaped. */
const PLAIN_BODY = /^(?:[A-Za-z0-9+/=\s]|\\{1,4}[nrt])*/;
/** Most of a line of base64. Code that only names the two lines has no such word between them. */
const KEY_MATERIAL = /[A-Za-z0-9+/]{40}/;
/** A quote that ends a string in JSON. A block does not go on in the next string. */
const END_OF_STRING = /"\s*[:,\]}]/;
const MARK = '[PRIVATE_KEY_REDACTED]';

interface PrivateKey {
  /** Where its first line begins, and where its last one ends. */
  start: number;
  end: number;
  /** What stands between the two; of a key that is cut off, what is there. */
  bodyStart: number;
  bodyEnd: number;
}

/** Replaces blocks of private keys whole, with their first and last line; of one that is cut off, what is there. */
export function redactPrivateKeys(text: string): { text: string; count: number } {
  const keys = findPrivateKeys(text);
  const pieces = keys.map(({ start }, index) => text.slice(keys[index - 1]?.end ?? 0, start));
  return { text: [...pieces, text.slice(keys.at(-1)?.end ?? 0)].join(MARK), count: keys.length };
}

/** Masks what stands between the first and the last line of a private key, so that every line keeps its number. */
export function maskPrivateKeyLines(text: string): string {
  const keys = findPrivateKeys(text);
  const pieces = keys.flatMap(({ bodyStart, bodyEnd }, index) => [
    text.slice(keys[index - 1]?.bodyEnd ?? 0, bodyStart),
    text.slice(bodyStart, bodyEnd).split('\n').map(maskLine).join('\n'),
  ]);
  return [...pieces, text.slice(keys.at(-1)?.bodyEnd ?? 0)].join('');
}

function findPrivateKeys(text: string): PrivateKey[] {
  if (!text.includes('PRIVATE KEY')) return [];
  const begins = [...text.matchAll(BEGIN)];
  return begins.flatMap((begin, index) => {
    const bodyStart = begin.index + begin[0].length;
    const next = begins[index + 1]?.index ?? text.length;
    const found = measureKey(text.slice(bodyStart, Math.min(next, bodyStart + MAX_BODY_LENGTH)));
    if (found === undefined) return [];
    return [{ start: begin.index, bodyStart, bodyEnd: bodyStart + found.body, end: bodyStart + found.whole }];
  });
}

/** How much of what follows the first line is the key, without and with its last line; nothing where it is only a mention of one. */
function measureKey(rest: string): { body: number; whole: number } | undefined {
  const end = END.exec(rest);
  if (end !== null) {
    const body = rest.slice(0, end.index);
    const isPlain = body.trim() !== '' && PLAIN_BODY.exec(body)?.[0].length === body.length;
    if (isPlain || (KEY_MATERIAL.test(body) && !END_OF_STRING.test(body)))
      return { body: end.index, whole: end.index + end[0].length };
  }
  const body = PLAIN_BODY.exec(rest)?.[0] ?? '';
  if (!KEY_MATERIAL.test(body)) return undefined;
  const length = body.trimEnd().length;
  return { body: length, whole: length };
}

const PIECE = /(?:[A-Za-z0-9+/=]|\\{1,4}[nrt]){4,}/g;
const LONG_PIECE = /[A-Za-z0-9+/]{40,}={0,2}/g;
/** What a program writes around a line of a key. */
const AROUND = /["'`,.;()\s\\]/g;

function maskLine(line: string): string {
  const isOnlyKey = /^[A-Za-z0-9+/=]*$/.test(line.replace(AROUND, ''));
  return line.replace(isOnlyKey ? PIECE : LONG_PIECE, MARK);
}
