import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { blobName } from '../blob-name.ts';
import { tempTree } from '../filter/tree.fixture.ts';
import { packKnown, unpackKnown } from './pack-known.ts';
import { type KnownFile, type KnownFolder, type ScanBatch } from './scan-folder.ts';
import { expectScan, startScan } from './start-scan.ts';

async function collect(batches: AsyncIterable<ScanBatch>): Promise<ScanBatch[]> {
  const all: ScanBatch[] = [];
  for await (const batch of batches) all.push(batch);
  return all;
}

const manyFiles = (count: number) =>
  tempTree(Object.fromEntries(Array.from({ length: count }, (_, index) => [`f/${index}.ts`, String(index)])));

test('a scan in its own thread finds what a scan finds, and the next one what has changed [SYNC-21]', async () => {
  const root = tempTree({ 'a.ts': 'a', 'b/c.ts': 'c', 'b/x.pem': '' });
  const [first] = await collect(startScan({ root, settleMs: 0 }));
  expect(first!.files.map(({ path, blobName: name }) => [path, name])).toEqual([
    ['a.ts', blobName('a.ts', 'a')],
    ['b/c.ts', blobName('b/c.ts', 'c')],
  ]);
  expect(first!.rejected).toMatchObject([{ path: 'b/x.pem' }]);

  rmSync(join(root, 'a.ts'));
  const knownFiles = new Map(first!.files.map(({ path, ...file }) => [path, file]));
  const knownFolders = new Map(first!.folders.map(({ path, ...folder }) => [path, folder]));
  const second = await collect(startScan({ root, settleMs: 0, knownFiles, knownFolders }));

  expect(second).toMatchObject([{ files: [], gone: ['a.ts'], unchanged: 1, folders: [{ path: '' }] }]);
  expect(second).toHaveLength(1);
});

test('batches come in order, however slowly they are taken', async () => {
  const root = manyFiles(100);
  let count = 0;
  const paths: string[] = [];

  for await (const batch of startScan({ root, batchSize: 2 })) {
    count++;
    paths.push(...batch.files.map(({ path }) => path));
    await new Promise((resolve) => setImmediate(resolve));
  }

  expect(count).toBeGreaterThanOrEqual(50);
  expect(new Set(paths).size).toBe(100);
  expect(paths).toHaveLength(100);
});

test('a signal ends it, before and during', async () => {
  const root = manyFiles(100);
  await expect(collect(startScan({ root, signal: AbortSignal.abort() }))).rejects.toMatchObject({ code: 'cancelled' });

  const controller = new AbortController();
  const scan = startScan({ root, batchSize: 1, signal: controller.signal });
  await scan.next();
  controller.abort();

  await expect(collect(scan)).rejects.toMatchObject({
    code: 'cancelled',
    message: `The scan of ${root} was cancelled`,
  });
});

test('leaving the loop ends the thread', async () => {
  const root = manyFiles(100);
  const workers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length;
  const before = workers();

  for await (const _ of startScan({ root, batchSize: 1 })) break;

  expect(workers()).toBe(before);
});

test('a scan that comes when the thread kept ready for it is just being given up has another one', async () => {
  const root = tempTree({ 'a.ts': 'a' });
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  expectScan();
  vi.advanceTimersByTime(10_000);

  const [batch] = await collect(startScan({ root }));

  expect(batch!.files.map(({ path }) => path)).toEqual(['a.ts']);
});

test('a root that is missing is refused as such', async () => {
  const root = join(tempTree({}), 'gone');

  await expect(collect(startScan({ root }))).rejects.toMatchObject({
    code: 'not-found',
    message: `There is no folder ${root}`,
  });
});

test('what is known crosses to the thread whole, but for the names of blobs', () => {
  const stamp = { mtimeMs: 1_700_000_000_000.123, ctimeMs: 1_700_000_000_001.5, inode: 2 ** 40 };
  const files = new Map<string, KnownFile>([
    ['a\nb.ts', { ...stamp, size: 5, isSettled: true, blobName: 'x', leftOut: undefined }],
    ['ü/😀', { ...stamp, size: 2 ** 40, isSettled: false, blobName: undefined, leftOut: 'too-large' }],
  ]);
  const folders = new Map<string, KnownFolder>([
    ['', { ...stamp, isSettled: true, rulesKey: 'k', ruleNames: ['.gitignore'], folders: ['ü'] }],
  ]);

  expect(unpackKnown(structuredClone(packKnown(files, folders)))).toEqual({
    knownFiles: new Map([
      ['a\nb.ts', { ...files.get('a\nb.ts')!, blobName: undefined }],
      ['ü/😀', files.get('ü/😀')!],
    ]),
    knownFolders: folders,
  });
  expect(unpackKnown(packKnown(new Map(), new Map())).knownFiles.size).toBe(0);
});
