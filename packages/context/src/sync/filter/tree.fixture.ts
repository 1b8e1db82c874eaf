import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';

/** A folder with these files. A path with `/` at its end is an empty folder. */
export function tempTree(files: Record<string, string | Uint8Array>): string {
  const root = tempFolder();
  writeTree(root, files);
  return root;
}

export function writeTree(root: string, files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(path.endsWith('/') ? file : dirname(file), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(file, content);
  }
}
