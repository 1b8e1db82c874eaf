const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
/** Far longer than any key. */
const MAX_BODY_LENGTH = 16_384;

/** What a body is made of: base64, with line breaks that may be escaped. */
const PLAIN_BODY = /^(?:[A-Za-z0-9+/=\s]|\\{1,4}[nrt])*/;
/** Most of a line of base64. Code that only names the two lines has no such word between them. */
const KEY_MATERIAL = /[A-Za-z0-9+/]{40}/;
const PIECE = /(?:[A-Za-z0-9+/=]|\\{1,4}[nrt]){4,}/g;
const LONG_PIECE = /[A-Za-z0-9+/]{40,}={0,2}/g;
/** What a program writes around a line of a key. */
const AROUND = /["'`,.;()\s\\]/g;
const MARK = '[PRIVATE_KEY_REDACTED]';

/** Masks what stands between the first and the last line of a private key, or what is there of one that is cut off. */
export function redactKeyBlocks(text: string): string {
  if (!text.includes('PRIVATE KEY')) return text;
  const begins = [...text.matchAll(BEGIN)];
  let redacted = '';
  let at = 0;
  for (const [index, begin] of begins.entries()) {
    const start = begin.index + begin[0].length;
    const next = begins[index + 1]?.index ?? text.length;
    const body = keyBody(text.slice(start, Math.min(next, start + MAX_BODY_LENGTH)));
    redacted += text.slice(at, start) + body.split('\n').map(redactLine).join('\n');
    at = start + body.length;
  }
  return redacted + text.slice(at);
}

/** The part that is the key; empty where the first line is only mentioned. */
function keyBody(rest: string): string {
  const end = END.exec(rest);
  const body = end === null ? plainBody(rest) : rest.slice(0, end.index);
  const isPlain = end !== null && plainBody(body).length === body.length;
  return isPlain || KEY_MATERIAL.test(body) ? body : '';
}

function redactLine(line: string): string {
  const isOnlyKey = /^[A-Za-z0-9+/=]*$/.test(line.replace(AROUND, ''));
  return line.replace(isOnlyKey ? PIECE : LONG_PIECE, MARK);
}

function plainBody(rest: string): string {
  return PLAIN_BODY.exec(rest)?.[0] ?? '';
}
