import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSnapshots } from './open-snapshots.ts';

/** Edits a project and takes its state, over and over, until someone kills it. */
const [folder, root] = process.argv.slice(2) as [string, string];
const log = { debug() {}, warn: (_: object, message: string) => process.stdout.write(`warning ${message}\n`) };
const snapshots = await openSnapshots({ folder, root, log });
for (let version = 0; ; version++) {
  for (let file = 0; file < 40; file++)
    writeFileSync(join(root, `f${file}.txt`), `${version} ${file} ${process.pid}\n`);
  process.stdout.write(`tracking ${version}\n`);
  await snapshots.track();
}
