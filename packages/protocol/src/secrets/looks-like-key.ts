import { TOKEN_PREFIXES } from './secret-tokens.ts';

/** People cut keys for examples, so what follows may be shorter than the whole of one. */
const CUT_KEY = /^[-_A-Za-z0-9]{8,}/;
const PREFIXES = ['sk-', 'pk-', 'pk_', 'eyJ', ...TOKEN_PREFIXES];

/** Whether a word of a command or a piece of an address may be a key: letters and digits mixed, too long for a word. */
export function looksLikeKey(word: string): boolean {
  if (PREFIXES.some((prefix) => word.startsWith(prefix) && CUT_KEY.test(word.slice(prefix.length)))) return true;
  if (word.length < 16 || !/^[\w.~+=:-]+$/.test(word)) return false;
  const isMixed = (text: string) => /\d/.test(text) && /[a-z]/i.test(text);
  const hasLongPiece = word.split(/[-_.:]/).some((piece) => piece.length >= 12 && isMixed(piece));
  return hasLongPiece || (word.length >= 20 && /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word));
}
