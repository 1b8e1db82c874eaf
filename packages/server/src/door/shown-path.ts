import { looksLikeKey, MASK } from '@dragoman/protocol/secrets';

const LONGEST = 200;

/** The path of an address as it may be told: without its query, and without what stands for a token or looks like one. */
export function shownPath(url: string): string {
  const pieces = url.split(/[?#]/, 1)[0]!.split('/');
  return pieces
    .map((piece, index) => (isToken(piece, pieces[index - 1]) ? MASK : piece))
    .join('/')
    .slice(0, LONGEST);
}

function isToken(piece: string, before: string | undefined): boolean {
  if (piece === '') return false;
  if (before !== undefined && decode(before).toLowerCase() === 'token') return true;
  return decode(piece)
    .split(/[^\w-]+/)
    .some(looksLikeKey);
}

function decode(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}
