import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSoak, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { git } from '../sync/filter/git.fixture.ts';
import { answersOf, namesIn, namesOnDisk, openHouse, USER } from './house.fixture.ts';
import { plantedWord } from './planted-tree.fixture.ts';

const FILES = isSoak() ? 600 : 60;
const BRANCHES = ['main', 'feature', 'release'];
const WORDS = BRANCHES.map((_, number) => plantedWord(number, 0));

/** Each branch has files of its own, and most files differ between them. */
function repository(): { root: string; switchTo(branch: string): void } {
  const root = realpathSync(tempFolder());
  const run = (...args: string[]) =>
    void git(root, ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false', ...args]);
  run('init', '--quiet', '--initial-branch=main');
  for (const [number, branch] of BRANCHES.entries()) {
    if (number > 0) run('switch', '--quiet', '--create', branch, 'main');
    for (let file = 0; file < FILES; file++) {
      const path = join(root, `src/d${file % 9}/f${file}.ts`);
      mkdirSync(dirname(path), { recursive: true });
      if (number === 0 || file % 3 === number) writeFileSync(path, `export const in${branch}${file} = ${file};\n`);
      if (number > 0 && file % 10 === number) rmSync(path);
    }
    writeFileSync(join(root, `only-${branch}.ts`), `export const ${plantedWord(number, 0)} = '${branch}';\n`);
    run('add', '--all');
    run('commit', '--quiet', '-m', branch);
  }
  return { root, switchTo: (branch) => run('switch', '--quiet', branch) };
}

test.each([{ watch: false }, { watch: true }])(
  'after each switch of branches the view is what is on disk, and a branch seen before is not uploaded again (watched: $watch)',
  async ({ watch }) => {
    const { root, switchTo } = repository();
    const house = await openHouse(join(tempFolder(), 'home'), { watch });
    onTestFinished(house.close);
    const sync = await house.context.workspaces.open(USER, root);
    const uploads: [branch: string, blobs: number][] = [];
    const switches = isSoak() ? 20 : 4;
    for (let at = 0; at < switches; at++) {
      const branch = BRANCHES[at % BRANCHES.length]!;
      switchTo(branch);
      const uploaded = sync.metrics.counters['blobs uploaded'];
      expect(await namesIn(house, root)).toEqual(namesOnDisk(root));
      uploads.push([branch, sync.metrics.counters['blobs uploaded'] - uploaded]);
      // The other two begin at the first branch, and have its file too.
      const found = await answersOf(house, root, WORDS);
      expect(WORDS.map((word) => found[word])).toEqual(
        BRANCHES.map((name, number) => (name === branch || number === 0 ? [`only-${name}.ts`] : [])),
      );
    }
    expect(sync.isWatching).toBe(watch);
    expect(uploads.slice(0, BRANCHES.length).every(([, blobs]) => blobs > 0)).toBe(true);
    expect(uploads.slice(BRANCHES.length).filter(([, blobs]) => blobs > 0)).toEqual([]);
  },
);
