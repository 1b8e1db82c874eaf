import { writeFileSync } from 'node:fs';
import { readRepository } from './read-repository.ts';
import { TABLE_FILE, withRequirementsTable } from './requirements-table.ts';

/** Brings the table of the agent's README up to date; with `--check` it only says whether it is. */
const files = readRepository();
const text = withRequirementsTable(files);
if (!process.argv.includes('--check')) writeFileSync(new URL(`../${TABLE_FILE}`, import.meta.url), text);
else if (text !== files.get(TABLE_FILE)) {
  console.error(`${TABLE_FILE}: its table of requirements is out of date; run: npm run requirements-table`);
  process.exitCode = 1;
}
