import { isReference, isSecretKey, isSecretPassword } from './looks-secret.ts';
import { KeyLines } from './private-keys.ts';
import { isMaybePassword, judgeName } from './secret-names.ts';

/** What stands in place of the value of a field. */
export const REDACTED = '[REDACTED]';

/** Packages are called `cookie` and `pg-connection-string`, and a list of them says which versions. */
const VERSION =
  /^(?:[\^~<>=v ]{0,3}\d+(?:\.(?:\d+|[x*])){1,2}[\w.+ -]{0,60}|latest|(?:workspace|npm|file|link):.{1,200})$/;
/** Types, and what a browser is told about cookies. */
const PLAIN_WORD = /^(?:true|false|null|none|undefined|string|number|boolean|object|include|omit|same-origin)$/i;
const MARK = /^\[[A-Z_]{0,40}REDACTED\]$/;
/** A list under this name may hold the names of secrets. */
const LIST_OF_NAMES = /(?:secret|credential)s?$/i;
/** A word of a command, the next of which is its value. */
const OPTION = /^--?[A-Za-z][\w-]{0,60}$/;
/** The private numbers of a key that is written as JSON. */
const KEY_NUMBERS = ['d', 'k', 'p', 'q', 'dp', 'dq', 'qi'];
/** Names of fields that say something about others beside them, and of these others. */
const BESIDE = new Set(['name', 'key', 'value', 'kty', ...KEY_NUMBERS]);

/** Whether a text is a secret because of the name of its field. */
export function isSecretField(name: string, value: string): boolean {
  if (
    value === '' ||
    (value.length < 300 && (MARK.test(value) || VERSION.test(value) || PLAIN_WORD.test(value) || isReference(value)))
  )
    return false;
  const judged = judgeName(name);
  return judged === 'secret' || (judged === 'maybe' && looksSecret(name, value));
}

function looksSecret(name: string, value: string): boolean {
  return isMaybePassword(name) ? isSecretPassword(value) : isSecretKey(value);
}

/** Tells which texts of a list are secrets because of its name and of the items before them. */
export class SecretItems {
  readonly #name: string;
  readonly #keyLines = new KeyLines();
  #before = '';

  constructor(name: string) {
    this.#name = name;
  }

  isNext(item: string): boolean {
    const before = this.#before;
    this.#before = item.length > 80 ? '' : item;
    if (this.#keyLines.isNext(item)) return true;
    if (OPTION.test(before) && !item.startsWith('-') && isSecretField(before, item)) return true;
    if (!LIST_OF_NAMES.test(this.#name)) return isSecretField(this.#name, item);
    return isSecretKey(item) || isSecretPassword(item);
  }
}

/** Whether a field of this name may be a secret because of others beside it, or make one of them a secret. */
export function isBesideName(name: string): boolean {
  return name.length <= 5 && BESIDE.has(name.toLowerCase());
}

/** Tells which texts of an object are secrets because of others beside them: `{"name":"DB_PASSWORD","value":"…"}`. */
export class SecretsBeside {
  readonly #texts = new Map<string, string>();

  note(key: string, text: string): void {
    if (isBesideName(key)) this.#texts.set(key.toLowerCase(), text);
  }

  /** The names of their fields, in lower case. */
  found(): readonly string[] {
    if (this.#texts.size < 2) return [];
    if (this.#texts.has('kty')) return KEY_NUMBERS.filter((key) => (this.#texts.get(key)?.length ?? 0) >= 20);
    const name = this.#texts.get('name') ?? this.#texts.get('key');
    const value = this.#texts.get('value');
    return name !== undefined && value !== undefined && isSecretField(name, value) ? ['value'] : [];
  }
}
