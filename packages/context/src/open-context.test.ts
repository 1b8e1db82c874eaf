import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { answersOf, openHouse, USER } from './faults/house.fixture.ts';
import { blobOf } from './index/blobs/blob.fixture.ts';
import { axesEmbedder } from './index/embedder/axes-embedder.fixture.ts';

test('what an earlier process stored and did not come to index is indexed by one that stays', async () => {
  const home = join(tempFolder(), 'home');
  const left = [blobOf('a.ts'), blobOf('b.ts')];
  const before = await openHouse(home);
  onTestFinished(before.close);
  await before.context.engine.blobs.put(USER, left);
  await before.close();

  const after = await openHouse(home, { watch: true });
  onTestFinished(after.close);
  while ((await after.context.engine.blobs.stats()).unindexed > 0) await new Promise((go) => setImmediate(go));

  const view = { key: 'both', blobNames: new Set(left.map(({ blobName }) => blobName)) };
  const hits = await after.context.engine.index.search(view, { query: 'content', limit: 5 });
  expect(hits.map(({ path }) => path).sort()).toEqual(['a.ts', 'b.ts']);
});

test('a question waits for files that lost their place in the index to a crash', async () => {
  const home = join(tempFolder(), 'home');
  const root = realpathSync(tempFolder());
  writeFileSync(join(root, 'kept.ts'), 'export const wonderful = 1;\n');
  const before = await openHouse(home);
  onTestFinished(before.close);
  expect(await answersOf(before, root, ['wonderful'])).toEqual({ wonderful: ['kept.ts'] });
  // A process that found a segment broken took it out, and was killed before it could build another.
  await before.dropSegments();
  await before.close();

  const after = await openHouse(home);
  onTestFinished(after.close);
  expect(await answersOf(after, root, ['wonderful'])).toEqual({ wonderful: ['kept.ts'] });
});

test('a question about a folder finds a new file by words while what makes vectors does not answer', async () => {
  const embedder = axesEmbedder();
  const root = realpathSync(tempFolder());
  const house = await openHouse(join(tempFolder(), 'home'), { embedder });
  onTestFinished(house.close);
  embedder.instead = (_texts, signal) =>
    new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)));

  writeFileSync(join(root, 'new.ts'), 'export const wonderful = 1;\n');

  expect(await answersOf(house, root, ['wonderful'])).toEqual({ wonderful: ['new.ts'] });
});
