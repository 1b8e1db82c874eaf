import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';

/** A folder with these files, by its real path. */
export function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const root = realpathSync(tempFolder());
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}
