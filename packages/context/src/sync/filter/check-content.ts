import { isUtf8 } from 'node:buffer';

/** The largest blob where nobody says otherwise: 1 MiB. */
export const DEFAULT_MAX_BLOB_BYTES = 1_048_576;

/** Why a file that the rules allow has no blob. */
export type LeftOutCode =
  | 'too-large'
  | 'binary'
  | 'not-utf8'
  | 'private-key'
  | 'not-a-file'
  | 'unreadable'
  | 'changed-while-read';

const REASONS: Record<LeftOutCode, string> = {
  'too-large': 'Large file',
  binary: 'Binary file',
  'not-utf8': 'Binary file',
  'private-key': 'Private key',
  'not-a-file': 'Not a file',
  unreadable: 'File not readable',
  'changed-while-read': 'Changed while being read',
};

/** In words for a person. Text in another encoding is a binary file to one who cannot read it. */
export function formatLeftOut(code: LeftOutCode): string {
  return REASONS[code];
}

/** Whether a file's bytes may become a blob: undefined when they may. */
export function checkContent(content: Uint8Array, maxBytes: number): LeftOutCode | undefined {
  if (content.length > maxBytes) return 'too-large';
  // The store keeps text, and text in a database cannot hold a NUL anywhere.
  if (content.includes(0)) return 'binary';
  if (!isUtf8(content)) return 'not-utf8';
  return holdsPrivateKey(content) ? 'private-key' : undefined;
}

const KEY_WORDS = Buffer.from('PRIVATE KEY');
// On a line of its own, as in key files and YAML, or as Google writes it into JSON; with a body, so that a
// text about keys is not one. A key in quotes within code is mostly a test's, and the code around it is worth finding.
const KEY =
  /(?:^[ \t]*|"private_key"\s*:\s*")-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\n)(?:[^\n]*\n){0,4}?[ \t]*[A-Za-z0-9+/=]{32}/m;

function holdsPrivateKey(content: Uint8Array): boolean {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return bytes.includes(KEY_WORDS) && KEY.test(bytes.toString('utf8'));
}
