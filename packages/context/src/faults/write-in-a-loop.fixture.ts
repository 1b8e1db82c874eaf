import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

// Run as a program: writes the same few files again and again, in pieces of many sizes, until its input ends.
const [root, files] = process.argv.slice(2) as [string, string];
let isOver = false;
process.stdin.on('end', () => (isOver = true)).resume();
for (let version = 0; !isOver; version++) {
  for (let file = 0; file < Number(files); file++)
    writeFileSync(
      join(root, `busy${file}.ts`),
      `export const version${version} = ${version};\n`.repeat((version * 37) % 3_000),
    );
  if (version === 0) writeSync(1, 'writing\n');
  await new Promise((go) => setImmediate(go));
}
