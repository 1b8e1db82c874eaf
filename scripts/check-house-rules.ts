import { HOUSE_RULES } from './house-rules.ts';
import { readRepository } from './read-repository.ts';

const files = readRepository();
for (const [rule, broken] of Object.entries(HOUSE_RULES))
  for (const place of broken(files)) {
    console.error(`${place}: ${rule}`);
    process.exitCode = 1;
  }
if (process.exitCode === undefined) console.log(`house rules: ${Object.keys(HOUSE_RULES).length} kept`);
