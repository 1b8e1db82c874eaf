import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';

const FILES = {
  'src/retry.ts':
    '/** How often a failed call is tried again. */\nexport const MAX_RETRIES = 3;\n\nexport function mayRetry(attempt: number): boolean {\n  return attempt < MAX_RETRIES;\n}\n',
  'src/login.py': 'def check_password(user, password):\n    return verify_hash(password, user.password_hash)\n',
  'docs/colours.md': '# Colours\n\nThe button is blue, and the bell is green.\n',
  '.gitignore': 'dist/\n',
  'dist/retry.js': 'exports.MAX_RETRIES = 3;\n',
  '.env': 'API_KEY=not-for-anybody\n',
};
/** What of them is indexed: not what git ignores, and never secrets. */
export const INDEXED_FILES = 4;

/** A small code base on disk, by its real path. */
export function codeBase(): string {
  const root = realpathSync(tempFolder());
  for (const [path, text] of Object.entries(FILES)) writeIn(root, path, text);
  return root;
}

export function writeIn(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
