/** What values are made of that stand for a secret in examples and documents. */
const STAND_IN = /change.?me|example|placeholder|dummy|redacted|your|x{4}|\*{3}|\.{3}|…/i;
/** Words that say what should stand there. What is left without them may still be a secret. */
const FILLER = /pass?w(?:or)?d|passwd|passphrase|pass|secret|token|api|key|test|fake|mock|sample|admin|user|[-_.]/gi;
/** A value that is put together or looked up elsewhere. */
const FILLED_IN = /\$\{|\{\{|\$\(|#\{|%[sd(]|^[$%<{[]|^(?:env|process|secrets?|vault)[.:(]|\s/;
const FILE_PATH = /^(?:[.~]{0,2}\/|[A-Za-z]:\\)/;
/** Sentences of other languages are written without spaces. */
const OTHER_ALPHABET = /[^\x20-\xff]/;
/** An identifier, or several joined by dots, hyphens and the like. */
const WORDS = /^[/.#@:_-]*[A-Za-z]+\d{0,4}(?:[/.#@:_-]+(?:[A-Za-z]+\d{0,4}|\d{1,4}))*[/.#@:_-]*$/;

/** A literal that is given to something called a password: not a word, and not a stand-in for one. */
export function isSecretPassword(value: string): boolean {
  if (isStandIn(value, 6) || FILE_PATH.test(value) || OTHER_ALPHABET.test(value) || isNamedForSecret(value))
    return false;
  return /[A-Za-z]/.test(value) && /[0-9!@#$%^&*+=?~]/.test(value);
}

/** A literal that is given to something called a key or token, names of which are everywhere: it must look random. */
export function isSecretKey(value: string): boolean {
  if (value.length < 16 || isStandIn(value, 12)) return false;
  return /[A-Za-z]/.test(value) && /[0-9]/.test(value) && !WORDS.test(value) && bitsPerCharacter(value) >= 3;
}

/** The password of an address is one by its place, whatever it looks like. */
export function isSecretInAddress(value: string): boolean {
  return !isStandIn(value, 3);
}

/** What follows `Authorization: Bearer` is one by its place, unless it is a word that stands for one. */
export function isSecretInHeader(value: string): boolean {
  return !isStandIn(value, 6) && (value.length >= 16 || /\d/.test(value));
}

/** Several words, one of which says what should stand there: `secret-2-levels`. */
function isNamedForSecret(value: string): boolean {
  return (
    /[-_.]/.test(value) && WORDS.test(value) && value.split(/[-_.]/).some((word) => word.replace(FILLER, '') === '')
  );
}

function isStandIn(value: string, least: number): boolean {
  return FILLED_IN.test(value) || STAND_IN.test(value) || value.replace(FILLER, '').length < least;
}

/** How much each character surprises: 0 for one repeated, about 4 for hexadecimal digits, 5 and more for base64. */
function bitsPerCharacter(value: string): number {
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** How keys of well-known services begin; shorter than the whole of one, because people cut them for examples. */
const KNOWN_KEYS = /^(?:sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|xox[a-z]|hf|AKIA|AIza|eyJ|DGM)[-_A-Za-z0-9]{8,}/;

/** Whether a word of a command or a piece of an address may be a key: letters and digits mixed, too long for a word. */
export function looksLikeKey(word: string): boolean {
  if (KNOWN_KEYS.test(word)) return true;
  if (word.length < 16 || !/^[\w.~+=:-]+$/.test(word)) return false;
  const isMixed = (text: string) => /\d/.test(text) && /[a-z]/i.test(text);
  const hasLongPiece = word.split(/[-_.:]/).some((piece) => piece.length >= 12 && isMixed(piece));
  return hasLongPiece || (word.length >= 20 && /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word));
}
