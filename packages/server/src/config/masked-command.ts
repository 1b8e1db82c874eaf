import { MASK } from './secret.ts';

/** Notes a secret that was found, and says what stands in its place. */
export type Keep = (secret: string) => string;

const SECRET_NAME = /key|token|secret|passw|pwd|auth|bearer|credential|cookie/i;
/** `--token=…`, `API_KEY=…`, `Authorization: …`, in one word. */
const NAMED_VALUE = /^([\w.-]+\s*[=:]\s*)(.+)$/s;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * The words of a command for people to see. Keys belong into variables, but people put them into arguments and addresses
 * too: what follows a word like "token", what stands in a query, and what looks like a key is masked. Rather too much
 * than too little.
 */
export function maskedCommand([program = '', ...args]: readonly string[], keep: Keep = () => MASK): string[] {
  let isValueNext = false;
  const words = args.map((word) => {
    const isValue = isValueNext && !/^--?[a-z]/i.test(word);
    isValueNext = /^--?[\w.-]+$/.test(word) && SECRET_NAME.test(word);
    return isValue ? keep(word) : maskedWord(word, keep);
  });
  return [program, ...words];
}

function maskedWord(word: string, keep: Keep): string {
  const [, name = '', value = word] = NAMED_VALUE.exec(word) ?? [];
  if (SECRET_NAME.test(name)) {
    // Of "Authorization: Bearer …" the second word is the key, and alone is what others would repeat.
    for (const piece of value.split(/\s+/)) keep(piece);
    return `${name}${keep(value)}`;
  }
  if (ADDRESS.test(word)) return maskedAddress(word, keep);
  if (ADDRESS.test(value)) return `${name}${maskedAddress(value, keep)}`;
  return looksLikeKey(value) ? `${name}${keep(value)}` : word;
}

/** An address for people to see, without what may be a key in it. */
export function maskedAddress(address: string, keep: Keep = () => MASK): string {
  // By hand, because an address that is put together anew would spell the mask in percent signs.
  const [, scheme = '', user, host = '', path = '', query] =
    /^([^:]+:\/\/)(?:([^/?#]*)@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/s.exec(address) ?? [];
  for (const piece of user?.split(':') ?? []) keep(piece);
  const places = path.split('/').map((place) => (looksLikeKey(place) ? keep(place) : place));
  const questions = query?.split('&').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return value.length === 0 ? keep(name) : `${name}=${keep(value.join('='))}`;
  });
  return [
    scheme,
    user === undefined ? '' : `${MASK}@`,
    host,
    places.join('/'),
    questions === undefined ? '' : `?${questions.join('&')}`,
  ].join('');
}

const KNOWN_KEYS = /^(?:sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|xox[a-z]|hf|AKIA|AIza|eyJ)[-_A-Za-z0-9]{8,}/;

/** Letters and digits mixed, too long for a word. */
function looksLikeKey(word: string): boolean {
  if (KNOWN_KEYS.test(word)) return true;
  if (word.length < 16 || !/^[\w.~+=-]+$/.test(word)) return false;
  const isMixed = (text: string) => /\d/.test(text) && /[a-z]/i.test(text);
  const hasLongPiece = word.split(/[-_.]/).some((piece) => piece.length >= 12 && isMixed(piece));
  return hasLongPiece || (word.length >= 20 && /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word));
}
