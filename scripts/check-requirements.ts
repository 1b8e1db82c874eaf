import { globSync, readFileSync } from 'node:fs';
import { unnamedRequirements } from './requirements.ts';

const root = new URL('..', import.meta.url);
const table = readFileSync(new URL('requirements.tsv', root), 'utf8');
const sources = globSync('{packages,testkit,scripts,e2e,bench}/**/*.{test,bench}.{ts,tsx}', {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
}).map((path) => readFileSync(new URL(path, root), 'utf8'));

const { done, total, unnamed, mistakes } = unnamedRequirements(table, sources);
for (const mistake of mistakes) console.error(`requirements.tsv: ${mistake}`);
for (const id of unnamed) console.error(`requirements.tsv: ${id} is done, but no test's title names it`);
if (unnamed.length + mistakes.length > 0) process.exitCode = 1;
else console.log(`requirements: ${done} of ${total} done, each named by a test`);
