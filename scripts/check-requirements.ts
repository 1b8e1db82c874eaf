import { readRepository } from './read-repository.ts';
import { checkRequirements } from './requirements.ts';

const { done, deviating, total, mistakes } = checkRequirements(readRepository());
for (const mistake of mistakes) console.error(`requirements.tsv ${mistake}`);
if (mistakes.length > 0) process.exitCode = 1;
else console.log(`requirements: ${done} of ${total} done, ${deviating} with a deviation that is said`);
