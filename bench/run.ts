import { globSync } from 'node:fs';
import { basename } from 'node:path';

/** `npm run bench` runs every benchmark, `npm run bench NAME` that of one room. */
const names = globSync('*.bench.ts', { cwd: import.meta.dirname }).map((file) => basename(file, '.bench.ts'));
const given = process.argv.slice(2);
const split = given.findIndex((argument) => argument.startsWith('-'));
const [wanted, options] = split === -1 ? [given, []] : [given.slice(0, split), given.slice(split)];
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark named ${unknown.join(', ')}; there are: ${names.join(', ')}`);
  process.exit(2);
}
for (const name of wanted.length === 0 ? names.toSorted() : wanted) {
  console.log(`\n# ${name}\n`);
  const { run } = (await import(`./${name}.bench.ts`)) as { run: (options: readonly string[]) => Promise<void> };
  await run(options);
}
