import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { openCodeIndex } from '../open-code-index.ts';
import { blobOf, openContextStore } from './blob.fixture.ts';
import { BlobStore } from './blob-store.ts';
import { localBlobServer } from './local-blob-server.ts';

test('in the same process blobs are taken with the same checks, and can be waited for', async () => {
  const store = await openContextStore('sqlite');
  const blobs = new BlobStore(store);
  const index = openCodeIndex({ folder: tempFolder(), store, blobs, log: { debug() {}, warn() {} } });
  onTestFinished(() => index.close());
  const server = localBlobServer({ blobs, index, maxBlobBytes: 100 }, 'ada');
  const [one, large, two] = [blobOf('a.ts'), blobOf('b.ts', 'x'.repeat(101)), blobOf('c.ts')];
  const names = [one, large, two].map((blob) => blob.blobName);

  expect(await server.maxBlobBytes!()).toBe(100);
  expect(await server.findMissing(names)).toEqual({ unknown: names, nonindexed: [] });
  expect(await server.batchUpload([one, large, two])).toEqual([one.blobName]);
  expect(await server.batchUpload([large])).toEqual([]);
  expect(await server.batchUpload([two])).toEqual([two.blobName]);
  await server.whenIndexed!([one.blobName, two.blobName]);
  expect(await server.findMissing(names)).toEqual({ unknown: [large.blobName], nonindexed: [] });
  expect(await index.findSymbol({ key: 'k', blobNames: new Set(names) }, 'nothing', 5)).toEqual([]);
});
