const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
/** Far longer than any key. */
const MAX_BODY_LENGTH = 16_384;

/** What stands between the two lines: base64, with line breaks that may be escaped. */
const BODY = /^(?:[A-Za-z0-9+/=\s]|\\{1,4}[nrt])*/;
/** Most of a line of base64. Code that only names the two lines has no such word between them. */
const KEY_MATERIAL = /[A-Za-z0-9+/]{40}/;
/** A quote that ends a string in JSON. A block does not go on in the next string. */
const END_OF_STRING = /"\s*[:,\]}]/;

/** Replaces blocks of private keys whole, with their first and last line; of one that is cut off, what is there. */
export function redactPrivateKeys(text: string): { text: string; count: number } {
  if (!text.includes('PRIVATE KEY')) return { text, count: 0 };
  const begins = [...text.matchAll(BEGIN)];
  let redacted = '';
  let count = 0;
  let at = 0;
  for (const [index, begin] of begins.entries()) {
    const bodyStart = begin.index + begin[0].length;
    const nextBegin = begins[index + 1]?.index ?? text.length;
    const length = secretLength(text.slice(bodyStart, Math.min(nextBegin, bodyStart + MAX_BODY_LENGTH)));
    if (length === 0) continue;
    redacted += `${text.slice(at, begin.index)}[PRIVATE_KEY_REDACTED]`;
    at = bodyStart + length;
    count++;
  }
  return { text: redacted + text.slice(at), count };
}

/** How much of what follows the first line belongs to the key; 0 where it is only a mention of one. */
function secretLength(rest: string): number {
  const end = END.exec(rest);
  if (end !== null) {
    const body = rest.slice(0, end.index);
    const isPlain = body.trim() !== '' && BODY.exec(body)?.[0].length === body.length;
    if (isPlain || (KEY_MATERIAL.test(body) && !END_OF_STRING.test(body))) return end.index + end[0].length;
  }
  const body = BODY.exec(rest)?.[0] ?? '';
  return KEY_MATERIAL.test(body) ? body.trimEnd().length : 0;
}
