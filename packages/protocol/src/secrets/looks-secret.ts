/** A longer value is judged by its beginning. */
const MOST_CHARACTERS = 8_192;
/** What values are made of that stand for a secret in examples and documents. */
const STAND_IN = /change.?me|example|placeholder|dummy|redacted|your|x{4}|\*{3}|\.{3}|…/i;
/** Words that say what should stand there. What is left without them may still be a secret. */
const FILLER = /pass?w(?:or)?d|passwd|passphrase|pass|secret|token|api|key|test|fake|mock|sample|admin|user|[-_.]/gi;
/** A value that is put together or looked up elsewhere. */
const FILLED_IN = /\$\{|\{\{|\$\(|#\{|%[sd(]|^[$<{[]|^%(?![0-9A-Fa-f]{2})|^(?:env|process|secrets?|vault)[.:(]|\s/;
/** Where a string of JSON ends and another begins: the quotes around the value are not those of one text. */
const END_OF_STRING = /"\s{0,80}[:,\]}]/;
const FILE_PATH = /^(?:[.~]{0,2}\/|[A-Za-z]:\\)/;
/** Sentences of other languages are written without spaces. */
const OTHER_ALPHABET = /[^\x20-\xff]/;
/** An identifier, or several joined by dots, hyphens and the like. */
const WORDS = /^[/.#@:_-]*[A-Za-z]+\d{0,4}(?:[/.#@:_-]+(?:[A-Za-z]+\d{0,4}|\d{1,4}))*[/.#@:_-]*$/;

/** What settings do not hold, and code does. */
const CODE = /[()[\]{};,]|=>|^0x/;

/** A literal that is given to something called a password: not a word, and not a stand-in for one. */
export function isSecretPassword(whole: string): boolean {
  const value = whole.slice(0, MOST_CHARACTERS);
  if (isStandIn(value, 6) || FILE_PATH.test(value) || OTHER_ALPHABET.test(value) || isNamedForSecret(value))
    return false;
  return /[A-Za-z]/.test(value) && /[0-9!@#$%^&*+=?~]/.test(value);
}

/** A literal that is given to something called a key or token, names of which are everywhere: it must look random. */
export function isSecretKey(whole: string): boolean {
  const value = whole.slice(0, MOST_CHARACTERS);
  if (value.length < 16 || isStandIn(value, 12)) return false;
  return /[A-Za-z]/.test(value) && /[0-9]/.test(value) && !WORDS.test(value) && bitsPerCharacter(value) >= 3;
}

/** The same without quotes around it, where names of variables, calls of functions and sums stand as well. */
export function isBareSecret(isSecret: (value: string) => boolean): (value: string) => boolean {
  return (value) =>
    isSecret(value) &&
    !CODE.test(value) &&
    !value.split(/[+*?&|=]+/).every((piece) => piece === '' || WORDS.test(piece));
}

/** The password of an address is one by its place, whatever it looks like, unless a path may stand there as well. */
export function isSecretInAddress(written: string): boolean {
  const value = written.replace(/^\$(?!\w+$|[({])/, '');
  return !isStandIn(value, 3) && (!value.includes('/') || isSecretPassword(value));
}

/** What follows `Authorization: Bearer` is one by its place, unless it is a word that stands for one. */
export function isSecretInHeader(value: string): boolean {
  return !isStandIn(value.slice(0, MOST_CHARACTERS), 6) && (value.length >= 16 || /\d/.test(value));
}

/** What stands for a value that is given elsewhere: `${DB_PASSWORD}`, `{{ vault.password }}`, `<password>`. */
export function isReference(value: string): boolean {
  return value.length <= 200 && /^(?:\$\w+|\$?\{.*\}|\$\(.*\)|<.*>|%\w+%)$/s.test(value);
}

/** Several words, one of which says what should stand there: `secret-2-levels`. */
function isNamedForSecret(value: string): boolean {
  return (
    /[-_.]/.test(value) && WORDS.test(value) && value.split(/[-_.]/).some((word) => word.replace(FILLER, '') === '')
  );
}

function isStandIn(value: string, least: number): boolean {
  return (
    FILLED_IN.test(value) ||
    END_OF_STRING.test(value) ||
    STAND_IN.test(value) ||
    value.replace(FILLER, '').length < least
  );
}

/** How much each character surprises: 0 for one repeated, about 4 for hexadecimal digits, 5 and more for base64. */
function bitsPerCharacter(value: string): number {
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** A name and a password, as a header or a file of Docker has them. */
export function isEncodedLogin(value: string): boolean {
  try {
    return /^[\x20-\x7e]{1,200}:[\x20-\x7e]{1,200}$/.test(atob(value));
  } catch {
    return false;
  }
}
