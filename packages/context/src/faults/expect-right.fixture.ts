import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished } from 'vitest';
import { answersOf, contentOf, type House, namesIn, namesOnDisk, openHouse } from './house.fixture.ts';
import { plantedOnDisk, plantedWord } from './planted-tree.fixture.ts';

/** A new process on this data folder has the planted files as they are on disk now, and nothing else. */
export async function expectRight(home: string, root: string): Promise<void> {
  const house = await openHouse(home);
  onTestFinished(house.close);
  await expectRightIn(house, root);
  await house.close();
}

/** Its index says the same of every file as one that was made just now, each is found by its word and by its path, and words that are gone are not. */
export async function expectRightIn(house: House, root: string): Promise<void> {
  const planted = plantedOnDisk(root);
  expect(await namesIn(house, root)).toEqual(namesOnDisk(root));

  const fresh = await openHouse(tempFolder());
  onTestFinished(fresh.close);
  expect(await contentOf(house, root)).toEqual(await contentOf(fresh, root));
  await fresh.close();

  const words = planted.map(({ file, version }) => plantedWord(file, version));
  const found = await answersOf(house, root, words);
  expect(words.map((word) => found[word])).toEqual(planted.map(({ path }) => [path]));
  for (const { path } of planted.filter((_, at) => at % 20 === 0))
    expect((await answersOf(house, root, [path]))[path]).toContain(path);
  const gone = planted
    .flatMap(({ file, version }) => [version - 1, version + 1].map((other) => plantedWord(file, Math.max(0, other))))
    .filter((word) => !words.includes(word));
  for (const [word, paths] of Object.entries(await answersOf(house, root, gone)))
    expect([word, paths]).toEqual([word, []]);
}
