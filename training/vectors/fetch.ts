import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readOrStop, stop } from '../stop.ts';
import { fetchedCommit, fetchRepository } from './fetch/fetch-repository.ts';
import { fileNameOf, readRepositoryList, SHIPPED_LIST } from './repository-list.ts';
import { runJobs } from './run-jobs.ts';

const AT_ONCE = 4;

// npm run vectors:fetch -- FOLDER [LIST.tsv]: brings the repositories of a list into a folder. Those that are there are left alone.
const [folder, list] = process.argv.slice(2);
if (folder === undefined) stop('npm run vectors:fetch -- FOLDER [LIST.tsv]');
const repositories = readOrStop(list ?? SHIPPED_LIST, () => readRepositoryList(list));
mkdirSync(folder, { recursive: true });
const failed: string[] = [];
let kept = 0;
await runJobs(repositories, AT_ONCE, async (repository) => {
  const gitDir = join(folder, fileNameOf(repository));
  if (fetchedCommit(gitDir, repository) !== undefined) {
    kept++;
    return;
  }
  try {
    await fetchRepository(repository, gitDir);
    process.stdout.write(`${repository.name}: ${fetchedCommit(gitDir, repository)}\n`);
  } catch (error) {
    failed.push(repository.name);
    process.stderr.write(`${repository.name}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
});
process.stdout.write(
  `${repositories.length - failed.length} of ${repositories.length} repositories are in ${folder}, ${kept} of them from before\n`,
);
if (failed.length > 0) {
  process.stderr.write(`not fetched: ${failed.join(', ')}. Run the command again, or take them off the list.\n`);
  process.exitCode = 1;
}
