const UPPER = 1;
const LOWER = 2;
const DIGIT = 3;

/**
 * The words inside an identifier, as they are written: `parseHTTPHeader2` → parse, HTTP, Header, 2.
 *
 * An upper-case run belongs together up to the letter that begins the next word. Digits stand alone, except
 * inside the short names people read as one (`utf8`, `sha256`, `v4`, `i18n` …), where they stay with their letters.
 */
export function splitIdentifier(identifier: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let before = 0;
  const cut = (end: number) => {
    if (end > start) parts.push(identifier.slice(start, end));
    start = end;
  };
  for (let at = 0; at < identifier.length; at++) {
    const code = identifier.charCodeAt(at);
    if (code === 95 || code === 36 || code === 45) {
      cut(at);
      start = at + 1;
      before = 0;
      continue;
    }
    const kind = code >= 48 && code <= 57 ? DIGIT : isUpper(code) ? UPPER : LOWER;
    if (before !== 0 && kind !== before) {
      if (kind === UPPER) cut(at);
      else if (kind === LOWER && before === UPPER) {
        if (at - start > 1) cut(at - 1);
      } else if (kind === LOWER && before === DIGIT) {
        if (at - start > 3) cut(at);
      } else if (kind === DIGIT && at - start > 4) cut(at);
    }
    before = kind;
  }
  cut(identifier.length);
  return parts;
}

function isUpper(code: number): boolean {
  if (code < 128) return code >= 65 && code <= 90;
  const char = String.fromCharCode(code);
  return char.toLowerCase() !== char;
}
