import { looksLikeKey } from './looks-like-key.ts';
import { maskAddresses } from './mask-addresses.ts';
import { type Keep, MASK } from './mask.ts';
import { soundsSecret } from './secret-names.ts';

/** `--token=…`, `API_KEY=…`, `Authorization: …`, in one word. */
const NAMED_VALUE = /^([\w.-]+\s*[=:]\s*)(.+)$/s;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * The words of a command for people to see. Keys belong into variables, but people put them into arguments and addresses
 * too: what follows a word like "token", what stands in a query, and what looks like a key is masked. Rather too much
 * than too little.
 */
export function maskCommand([program = '', ...args]: readonly string[], keep: Keep = () => MASK): string[] {
  let isValueNext = false;
  const words = args.map((word) => {
    const isValue = isValueNext && !/^--?[a-z]/i.test(word);
    isValueNext = /^--?[\w.-]+$/.test(word) && soundsSecret(word);
    return isValue ? keep(word) : maskWord(word, keep);
  });
  return [program, ...words];
}

function maskWord(word: string, keep: Keep): string {
  const [, name = '', value = word] = NAMED_VALUE.exec(word) ?? [];
  if (soundsSecret(name)) {
    // Of "Authorization: Bearer …" the second word is the key, and alone is what others would repeat.
    for (const piece of value.split(/\s+/)) keep(piece);
    return `${name}${keep(value)}`;
  }
  if (ADDRESS.test(word)) return maskAddresses(word, keep);
  if (ADDRESS.test(value)) return `${name}${maskAddresses(value, keep)}`;
  return looksLikeKey(value) ? `${name}${keep(value)}` : word;
}
