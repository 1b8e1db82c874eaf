import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import pino from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { blobName } from '../blob-name.ts';
import { scanFolder } from '../walk/scan-folder.ts';
import { FileManager, type FileManagerOptions } from './file-manager.ts';
import { ManualClock } from './manual-clock.fixture.ts';
import { lasting, MemoryBlobServer, passing } from './memory-blob-server.fixture.ts';
import { PathMap } from './path-map.ts';

const SILENT = pino({ level: 'silent' });

/** A folder with these files, and a manager that follows it. The clock stands late enough for every write to count as settled. */
function follow(
  files: Record<string, string | Buffer> = {},
  {
    server = new MemoryBlobServer(),
    map = new PathMap(),
    probeBatchSize,
    root = tempFolder(),
    ...options
  }: Partial<FileManagerOptions> & {
    server?: MemoryBlobServer;
    map?: PathMap;
    probeBatchSize?: number;
    root?: string;
  } = {},
) {
  const clock = new ManualClock(Date.now() + 3_600_000);
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const roots = new Map([[0, root]]);
  const manager = new FileManager('project', server, { rootOf: (id) => roots.get(id) }, map, probeBatchSize, {
    log: SILENT,
    clock,
    ...options,
  });
  onTestFinished(() => manager.stop());
  /** Gives in what a scan finds at these paths, or everywhere. */
  const scan = (...paths: string[]) => {
    const where = paths.length === 0 ? {} : { paths };
    const maxBytes = options.maxBlobBytes === undefined ? {} : { maxBytes: options.maxBlobBytes };
    const batches = [...scanFolder({ root, knownFiles: map.entries(0), settleMs: 0, ...where, ...maxBytes })];
    for (const batch of batches) manager.ingestScanned(0, batch);
    return batches;
  };
  const ingest = async (...paths: string[]) => {
    scan(...paths);
    await manager.whenSettled();
  };
  const confirmed = () => [...map.view().blobNames].sort();
  const leftOut = () => Object.fromEntries([...manager.leftOut(0)].map(({ path, reason }) => [path, reason]));
  return { root, server, map, manager, clock, write, ingest, scan, confirmed, leftOut, roots };
}

function numbered(count: number, content = (index: number) => `text ${index}`): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}.txt`, content(index)]));
}

function namesOf(files: Record<string, string>): string[] {
  return Object.entries(files)
    .map(([path, content]) => blobName(path, content))
    .sort();
}

describe('the manager', () => {
  test('is made for a workspace with a server, a path handler, a path map and a probe batch size [SYNC-39] [SYNC-40]', () => {
    const sizeFor = (probeBatchSize?: number) =>
      follow({}, probeBatchSize === undefined ? {} : { probeBatchSize }).manager.probeBatchSize;

    expect(follow().manager.workspaceName).toBe('project');
    expect([sizeFor(), sizeFor(0), sizeFor(-5), sizeFor(1), sizeFor(17), sizeFor(1_000), sizeFor(1_001)]).toEqual([
      1_000, 1, 1, 1, 17, 1_000, 1_000,
    ]);
  });

  test('takes a path through calculate, probe and upload until the server can find it [SYNC-41] [SYNC-54] [SYNC-56] [SYNC-58]', async () => {
    const { server, clock, manager, map, confirmed, scan } = follow({ 'src/a.ts': 'let a;' });
    const name = blobName('src/a.ts', 'let a;');

    scan('src/a.ts');
    expect(manager.inWork).toBe(1);
    await clock.untilWaiting(3_000);
    expect(server.probes).toEqual([[name]]);
    expect(server.uploads).toEqual([[{ blobName: name, path: 'src/a.ts', content: 'let a;' }]]);
    expect(map.get(0, 'src/a.ts')?.status).toBe(0);

    clock.advance(3_000);
    await manager.whenSettled();
    expect(server.probes).toEqual([[name], [name]]);
    expect(server.uploads).toHaveLength(1);
    expect(map.get(0, 'src/a.ts')?.status).toBe(1);
    expect(confirmed()).toEqual([name]);
    expect(manager.inWork).toBe(0);
  });

  test('writes what the server has already to the path map, and uploads nothing [SYNC-56]', async () => {
    const { server, ingest, confirmed } = follow({ 'a.ts': 'let a;' });
    const name = blobName('a.ts', 'let a;');
    server.stored.set(name, { blobName: name, path: 'a.ts', content: 'let a;' });
    server.index();

    await ingest('a.ts');

    expect(confirmed()).toEqual([name]);
    expect(server.uploads).toEqual([]);
  });

  test('drops what was given in again or is no longer followed, and counts it no longer [SYNC-42]', async () => {
    const server = new MemoryBlobServer({ canTell: true });
    const { manager, write, confirmed, scan } = follow({ 'a.ts': 'one', 'b.ts': 'b', 'c.ts': 'c' }, { server });
    const gate = Promise.withResolvers<void>();
    server.onProbe = () => gate.promise;

    scan();
    await server.until(() => server.probes.length === 1);
    write('a.ts', 'two, and longer');
    scan('a.ts');
    manager.removePath(0, 'b.ts');
    expect(manager.inWork).toBe(2);
    gate.resolve();

    await manager.whenSettled();
    expect(confirmed()).toEqual(namesOf({ 'a.ts': 'two, and longer', 'c.ts': 'c' }));
    expect([...server.stored.values()].map(({ path, content }) => `${path}: ${content}`).sort()).toEqual([
      'a.ts: two, and longer',
      'c.ts: c',
    ]);
    expect(manager.inWork).toBe(0);
  });

  test('drops the paths of a folder that is no longer followed [SYNC-42]', async () => {
    const { server, roots, ingest, manager } = follow({ 'a.ts': 'one' });
    roots.clear();

    await ingest('a.ts');

    expect(manager.inWork).toBe(0);
    expect(server.uploads).toEqual([]);
  });
});

describe('calculate', () => {
  test('a file that has not changed and is confirmed is neither read nor probed [SYNC-49]', async () => {
    const server = new MemoryBlobServer({ canTell: true });
    const { manager, ingest } = follow({ 'a.ts': 'a' }, { server });
    await ingest('a.ts');
    const { probes, uploads } = { probes: server.probes.length, uploads: server.uploads.length };
    const read = manager.metrics.counters['files read'];

    await ingest('a.ts');

    expect(manager.metrics.counters).toMatchObject({
      'files read': read,
      'mtime cache hits': 1,
      'mtime cache misses': 1,
    });
    expect([server.probes.length, server.uploads.length]).toEqual([probes, uploads]);
  });

  test('a file that has not changed but is not confirmed keeps its name and is probed again without being read [SYNC-50]', async () => {
    const server = new MemoryBlobServer({ canTell: true });
    const { scan, ingest, manager } = follow({ 'a.ts': 'a' }, { server });
    const name = blobName('a.ts', 'a');
    server.onProbe = () => {
      throw lasting('away');
    };
    await ingest('a.ts');
    server.onProbe = () => {};

    expect(scan('a.ts')).toMatchObject([{ files: [], unchanged: 1 }]);
    manager.ingestUnconfirmed(0);
    await server.until(() => server.probes.length === 2);

    expect(server.probes).toEqual([[name], [name]]);
    expect(manager.metrics.counters).toMatchObject({ 'mtime cache hits': 1, 'mtime cache misses': 1 });
  });

  test('a file that changed is read and named again [SYNC-51]', async () => {
    const server = new MemoryBlobServer({ canTell: true });
    const { root, write, manager, ingest, confirmed } = follow({ 'a.ts': 'a' }, { server });
    await ingest('a.ts');

    write('a.ts', 'b');
    utimesSync(join(root, 'a.ts'), 1, 1);
    await ingest('a.ts');

    expect(confirmed()).toEqual(namesOf({ 'a.ts': 'b' }));
    expect(manager.metrics.counters['mtime cache misses']).toBe(2);
  });

  test('what a scan hands on is probed under its name, for its folder, path and time of writing, from then on [SYNC-52]', async () => {
    const server = new MemoryBlobServer({ isInstant: false });
    const { root, roots, map, clock, manager } = follow({ 'src/a.ts': 'a' }, { server });
    const name = blobName('src/a.ts', 'a');
    utimesSync(join(root, 'src/a.ts'), 1_700_000_000, 1_700_000_000);
    roots.set(7, root);
    clock.advance(50_000); // It has not waited for these.

    for (const batch of scanFolder({ root, settleMs: 0 })) manager.ingestScanned(7, batch);

    await clock.untilWaiting(3_000);
    expect(server.probes).toEqual([[name]]);
    expect(server.uploads).toEqual([[{ blobName: name, path: 'src/a.ts', content: 'a' }]]);
    expect(map.get(7, 'src/a.ts')).toMatchObject({ blobName: name, mtimeMs: 1_700_000_000_000, status: 0 });
    expect(map.get(0, 'src/a.ts')).toBeUndefined();
  });
});

describe('probe', () => {
  test('a file that was written again as it was is read, and stays confirmed without being probed [SYNC-49]', async () => {
    const server = new MemoryBlobServer({ canTell: true });
    const { root, scan, manager, confirmed } = follow({ 'a.ts': 'a' }, { server });
    scan();
    await manager.whenSettled();
    const probes = server.probes.length;

    utimesSync(join(root, 'a.ts'), 1, 1);
    scan();
    await manager.whenSettled();

    expect(server.probes).toHaveLength(probes);
    expect(confirmed()).toEqual([blobName('a.ts', 'a')]);
    expect(manager.metrics.counters['mtime cache misses']).toBe(2);
  });

  test('names are gathered into full batches, and the rest is one smaller batch [SYNC-53]', async () => {
    const files = numbered(250);
    const server = new MemoryBlobServer({ canTell: true });
    for (const [path, content] of Object.entries(files))
      server.stored.set(blobName(path, content), { path, content, blobName: '' });
    server.index();
    const { ingest, confirmed } = follow(files, { server, probeBatchSize: 100 });

    await ingest(...Object.keys(files));

    expect(server.probes.map((names) => names.length)).toEqual([100, 100, 50]);
    expect(confirmed()).toEqual(namesOf(files));
  });

  test('what a scan found is probed a thousand names at a time [SYNC-53]', async () => {
    const files = numbered(1_500);
    const server = new MemoryBlobServer({ canTell: true });
    const { scan, manager, confirmed } = follow(files, { server });

    scan();
    await manager.whenSettled();

    expect(server.probes.slice(0, 2).map((names) => names.length)).toEqual([1_000, 500]);
    expect(confirmed()).toEqual(namesOf(files));
    expect(manager.metrics.counters).toMatchObject({ 'paths accepted': 1_500, 'blobs uploaded': 1_500 });
  });

  test('a name that is not indexed yet is probed again after 3 s, after a minute every minute, and not uploaded again [SYNC-55] [SYNC-57]', async () => {
    const server = new MemoryBlobServer({ isInstant: false });
    const found = Promise.withResolvers<void>();
    const onProgress = () => {
      if (confirmed().length > 0) found.resolve();
    };
    const { manager, clock, confirmed, scan } = follow({ 'a.ts': 'a' }, { server, onProgress });
    scan('a.ts');
    const settled = manager.whenSettled();

    for (let probe = 1; probe <= 20; probe++) {
      await clock.untilWaiting(3_000);
      expect(server.probes).toHaveLength(probe);
      clock.advance(3_000);
    }
    await clock.untilWaiting(60_000);
    await settled; // Nobody waits for it any longer.
    expect(server.probes).toHaveLength(21);
    clock.advance(59_999);
    expect(server.probes).toHaveLength(21);
    clock.advance(1);
    await server.until(() => server.probes.length === 22);
    await clock.untilWaiting(60_000);
    expect([confirmed(), manager.inWork]).toEqual([[], 1]);

    server.index();
    clock.advance(60_000);
    await found.promise;
    expect(server.probes).toHaveLength(23);
    expect(confirmed()).toEqual(namesOf({ 'a.ts': 'a' }));
    expect(server.uploads).toHaveLength(1);
  });

  test('a server that can tell when it has indexed is asked right then', async () => {
    const server = new MemoryBlobServer({ isInstant: false, canTell: true });
    const { manager, clock, confirmed, scan } = follow({ 'a.ts': 'a' }, { server });
    scan('a.ts');
    await clock.untilWaiting(60_000);
    expect(server.probes).toHaveLength(1);

    server.index();
    await manager.whenSettled();

    expect(confirmed()).toEqual(namesOf({ 'a.ts': 'a' }));
    expect(clock.waiting).toEqual([]);
  });

  test('a server that cannot index for now is told as trouble, and asked again the next time', async () => {
    const server = new MemoryBlobServer({ isInstant: false, canTell: true });
    const { manager, ingest, confirmed } = follow({ 'a.ts': 'let a;' }, { server });
    const wait = server.whenIndexed!;
    const full = new DragomanError('unavailable', 'The index could not be written: ENOSPC: no space left on device');
    Object.assign(server, { whenIndexed: () => Promise.reject(full) });

    await ingest('a.ts');
    expect(manager.takeTrouble()).toBe(full);
    expect(manager.inWork).toBe(0);
    expect(confirmed()).toEqual([]);

    Object.assign(server, { whenIndexed: wait });
    server.index();
    manager.ingestUnconfirmed(0);
    await manager.whenSettled();
    expect(manager.takeTrouble()).toBeUndefined();
    expect(confirmed()).toEqual(namesOf({ 'a.ts': 'let a;' }));
    expect(server.uploads).toHaveLength(1);
  });

  test('a server that says it is done with a blob and has not indexed it is neither waited for nor asked at once', async () => {
    const server = new MemoryBlobServer({ isInstant: false });
    Object.assign(server, { whenIndexed: async () => {} });
    const { manager, clock, confirmed, scan } = follow({ 'a.ts': 'a' }, { server });
    scan('a.ts');

    await manager.whenSettled();

    expect([confirmed(), server.probes.length, clock.waiting]).toEqual([[], 2, [3_000]]);
  });

  test('a probe is repeated while the failure may pass, and given up with the reason when it does not', async () => {
    const server = new MemoryBlobServer({ canTell: true });
    const { manager, clock, map, scan } = follow({ 'a.ts': 'a' }, { server });
    server.onProbe = () => {
      throw passing('the server is away');
    };

    scan('a.ts');
    const settled = manager.whenSettled();
    for (const wait of [500, 1_000, 2_000, 4_000]) {
      await clock.untilWaiting(wait);
      clock.advance(wait);
    }
    await settled;
    expect(server.probes).toHaveLength(5);
    expect(manager.takeTrouble()).toEqual(passing('the server is away'));
    expect(map.get(0, 'a.ts')?.status).toBe(0);

    server.onProbe = () => {};
    manager.ingestUnconfirmed(0);
    await manager.whenSettled();
    expect(map.get(0, 'a.ts')?.status).toBe(1);
    expect(manager.takeTrouble()).toBeUndefined();
  });
});

describe('upload', () => {
  const instant = () => new MemoryBlobServer({ canTell: true });

  test('a batch holds at most 128 blobs [SYNC-59]', async () => {
    const files = numbered(300);
    const { server, scan, manager } = follow(files, { server: instant(), maxUploads: 1 });

    scan();
    await manager.whenSettled();

    expect(server.uploads.map((blobs) => blobs.length)).toEqual([128, 128, 44]);
  });

  test('a batch holds at most 1,000,000 bytes, and a larger blob goes alone [SYNC-60]', async () => {
    const sizes = [400_000, 400_000, 200_000, 1, 1_040_000, 999_999, 1, 1];
    const files = Object.fromEntries(
      sizes.map((size, index) => [`f${index}.txt`, 'é'.repeat(size / 2) + (size % 2 ? 'e' : '')]),
    );
    const { server, ingest } = follow(files, { server: instant(), maxUploads: 1 });

    await ingest(...Object.keys(files));

    expect(server.uploads.map((blobs) => blobs.map(({ content }) => Buffer.byteLength(content)))).toEqual([
      [400_000, 400_000, 200_000],
      [1],
      [1_040_000],
      [999_999, 1],
      [1],
    ]);
  });

  test('names in the answer belong to the blobs in the same places, and are the ones that count [SYNC-61]', async () => {
    const server = instant();
    const { ingest, confirmed, map } = follow({ 'a.ts': 'a', 'b.ts': 'b' }, { server });
    server.given = ({ path, blobName: expected }) => (path === 'b.ts' ? 'f'.repeat(64) : expected);

    await ingest('a.ts', 'b.ts');

    expect(map.get(0, 'a.ts')?.blobName).toBe(blobName('a.ts', 'a'));
    expect(map.get(0, 'b.ts')?.blobName).toBe('f'.repeat(64));
    expect(confirmed()).toEqual([blobName('a.ts', 'a'), 'f'.repeat(64)].sort());
    expect(server.uploads.map((blobs) => blobs.length)).toEqual([2]);
  });

  test('when a batch fails or is answered in part, the rest goes one by one, and a bad blob stops no other [SYNC-36] [SYNC-62] [SYNC-63]', async () => {
    const server = instant();
    const files = numbered(6);
    const { ingest, confirmed, leftOut } = follow(files, { server, maxUploads: 1 });
    server.onUpload = (blobs) => {
      if (blobs.some(({ path }) => path === 'f2.txt')) throw lasting('f2 is bad');
    };

    await ingest(...Object.keys(files));

    expect(server.uploads.map((blobs) => blobs.map(({ path }) => path[1]).join(''))).toEqual([
      '012345',
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
    const { 'f2.txt': _bad, ...good } = files;
    expect(confirmed()).toEqual(namesOf(good));
    expect(leftOut()).toEqual({ 'f2.txt': 'Rejected by intake service' });

    const short = follow(numbered(4), { server: instant(), maxUploads: 1 });
    short.server.answered = (blobs) => Math.min(blobs.length, 2);
    await short.ingest(...Object.keys(numbered(4)));
    expect(short.server.uploads.map((blobs) => blobs.length)).toEqual([4, 1, 1]);
    expect(short.confirmed()).toEqual(namesOf(numbered(4)));
  });

  test('a blob that was refused for good is not sent again until its file changes [SYNC-36]', async () => {
    const server = instant();
    const { scan, write, manager, confirmed, leftOut } = follow({ 'a.ts': 'bad' }, { server });
    server.onUpload = ([blob]) => {
      if (blob!.content === 'bad') throw lasting();
    };
    scan();
    await manager.whenSettled();
    expect([server.uploads.length, leftOut()]).toEqual([1, { 'a.ts': 'Rejected by intake service' }]);

    manager.ingestUnconfirmed(0);
    await manager.whenSettled();
    expect(server.uploads).toHaveLength(1);

    write('a.ts', 'good');
    scan();
    await manager.whenSettled();
    expect([confirmed(), leftOut()]).toEqual([namesOf({ 'a.ts': 'good' }), {}]);
  });

  test('an upload is repeated while the failure may pass, as long as the server asks to wait [SYNC-64]', async () => {
    const server = instant();
    const { manager, clock, confirmed, leftOut, scan } = follow({ 'a.ts': 'a' }, { server });
    const failures = [passing(), new DragomanError('rate-limited', 'slow', { isRetryable: true, retryAfterMs: 7_000 })];
    server.onUpload = () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
    };

    scan('a.ts');
    const settled = manager.whenSettled();
    for (const wait of [500, 7_000]) {
      await clock.untilWaiting(wait);
      clock.advance(wait);
    }
    await settled;

    expect(server.uploads).toHaveLength(3);
    expect([confirmed(), leftOut()]).toEqual([namesOf({ 'a.ts': 'a' }), {}]);
  });

  test('when the server is away no blob is blamed, and everything goes up the next time [SYNC-64]', async () => {
    const server = instant();
    const files = numbered(300);
    const { scan, manager, clock, confirmed, leftOut } = follow(files, { server, maxUploads: 1 });
    server.onUpload = () => {
      server.onProbe = () => {
        throw passing();
      };
      throw passing();
    };

    scan();
    const settled = manager.whenSettled();
    for (const wait of [500, 1_000, 2_000, 4_000]) {
      await clock.untilWaiting(wait);
      clock.advance(wait);
    }
    await settled;
    expect(server.uploads).toHaveLength(5);
    expect([manager.takeTrouble(), leftOut(), manager.inWork]).toEqual([passing(), {}, 0]);

    server.onUpload = () => {};
    server.onProbe = () => {};
    manager.ingestUnconfirmed(0);
    await manager.whenSettled();
    expect(confirmed()).toEqual(namesOf(files));
  });

  test('a token that is not accepted is told once, and not once per file', async () => {
    const server = instant();
    const refusal = new DragomanError('unauthenticated', 'The token was not accepted.');
    const files = numbered(300);
    const { scan, manager } = follow(files, { server, maxUploads: 1 });
    server.onUpload = () => {
      throw refusal;
    };

    scan();
    await manager.whenSettled();

    expect(server.uploads).toHaveLength(1);
    expect(manager.takeTrouble()).toBe(refusal);
  });

  test('a server that has no room is told once, no blob is blamed, and everything goes up when there is room', async () => {
    const server = new MemoryBlobServer({ canTell: true });
    const { manager, ingest, confirmed, leftOut } = follow(numbered(3), { server });
    const full = new DragomanError('unavailable', 'Files cannot be stored: database or disk is full.');
    server.onUpload = () => Promise.reject(full);

    await ingest('f0.txt', 'f1.txt', 'f2.txt');
    expect(manager.takeTrouble()).toBe(full);
    expect(server.uploads).toHaveLength(1);
    expect(leftOut()).toEqual({});

    server.onUpload = () => {};
    manager.ingestUnconfirmed(0);
    await manager.whenSettled();
    expect(confirmed()).toEqual(namesOf(numbered(3)));
  });

  test('a server that takes a blob and forgets it is not fed for ever [SYNC-47]', async () => {
    const server = instant();
    const { ingest, leftOut } = follow({ 'a.ts': 'a' }, { server });
    Object.assign(server, { whenIndexed: async () => server.stored.clear() });

    await ingest('a.ts');

    expect(server.uploads).toHaveLength(3);
    expect(leftOut()).toEqual({ 'a.ts': 'Upload failed' });
  });

  test('a file that changes on its way is uploaded as it is then, under its new name', async () => {
    const server = instant();
    const { manager, write, confirmed, map, scan } = follow({ 'a.ts': 'old', 'b.ts': 'b' }, { server });
    server.onProbe = () => {
      if (server.probes.length > 1) return;
      write('a.ts', 'newer');
    };

    scan('a.ts');
    await manager.whenSettled();

    expect(server.uploads.flat().map(({ content }) => content)).toEqual(['newer']);
    expect(confirmed()).toEqual(namesOf({ 'a.ts': 'newer' }));
    expect(map.get(0, 'a.ts')).toMatchObject({ size: 5, isSettled: false, status: 1 });
  });

  test('a file that is gone or no longer text by then is not uploaded', async () => {
    const server = instant();
    const { root, manager, write, map, leftOut, scan } = follow({ 'a.ts': 'a', 'b.ts': 'b' }, { server });
    server.onProbe = () => {
      rmSync(join(root, 'a.ts'));
      write('b.ts', Buffer.from([0, 1]));
    };

    scan();
    await manager.whenSettled();

    expect(server.uploads).toEqual([]);
    expect(leftOut()).toEqual({ 'b.ts': 'Binary file' });
    expect([...map.entries(0).keys()]).toEqual(['b.ts']);
  });

  test('batches go in parallel up to the limit, and the result is that of one after the other [SYNC-85]', async () => {
    const files = numbered(1_300);
    const results = [];
    for (const maxUploads of [1, 4]) {
      const server = instant();
      const { scan, manager, confirmed } = follow(files, { server, maxUploads });
      const gate = Promise.withResolvers<void>();
      server.onUpload = () => gate.promise;
      scan();
      await server.until(() => server.uploads.length === maxUploads);
      gate.resolve();
      await manager.whenSettled();
      expect(server.maxUploadsAtOnce).toBe(maxUploads);
      results.push({ confirmed: confirmed(), stored: [...server.stored.keys()].sort() });
    }

    expect(results[1]).toEqual(results[0]);
    expect(results[0]!.confirmed).toEqual(namesOf(files));
  });
});

test('the log tells batch sizes, paths and names in detail, failed batches as errors, and never what is in a file [SYNC-65]', async () => {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({ level: 'trace', base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const server = new MemoryBlobServer({ canTell: true });
  const files = { 'a.ts': 'SECRET one', 'b.ts': 'SECRET two' };
  const { ingest } = follow(files, { server, log });
  server.onUpload = (blobs) => {
    if (blobs.length > 1) throw lasting('too many');
  };

  await ingest('a.ts', 'b.ts');

  const at = (level: number) => lines.filter((line) => line.level === level).map(({ msg }) => msg);
  expect(lines).toContainEqual(expect.objectContaining({ level: 10, msg: 'upload begins', blobs: 2 }));
  for (const [path, content] of Object.entries(files))
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 10, msg: 'blob to upload', path, blobName: blobName(path, content) }),
    );
  expect(at(50)).toEqual(['a batch could not be uploaded']);
  expect(JSON.stringify(lines)).not.toContain('SECRET');
});

test('an upload that breaks because the manager was stopped is nothing to report', async () => {
  const lines: string[] = [];
  const server = new MemoryBlobServer();
  const [began, breaks] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  server.onUpload = () => {
    began.resolve();
    return breaks.promise;
  };
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const { manager, ingest } = follow({ 'a.txt': 'text' }, { server, log });
  const settled = ingest('a.txt');
  await began.promise;

  manager.stop();
  breaks.reject(new DragomanError('unavailable', 'the index is gone'));

  await expect(settled).rejects.toThrow('The sync was stopped.');
  await new Promise((resolve) => setImmediate(resolve));
  expect(lines).toEqual([]);
});

test('the manager counts and measures under File metrics [SYNC-66] [SYNC-67]', async () => {
  const { ingest, manager } = follow({ 'a.ts': 'a' }, { server: new MemoryBlobServer({ canTell: true }) });

  await ingest('a.ts');

  expect(manager.metrics.name).toBe('File metrics');
  expect(manager.metrics.counters).toEqual({
    'paths accepted': 1,
    'paths not accessible': 0,
    'not plain files': 0,
    'large files': 0,
    'blob name calculation fails': 0,
    'encoding errors': 0,
    'mtime cache hits': 0,
    'mtime cache misses': 1,
    'probe batches': 2,
    'blob names probed': 2,
    'files read': 1,
    'blobs uploaded': 1,
  });
  expect(Object.keys(manager.metrics.timings)).toEqual(['ingestPath', 'probe', 'stat', 'read', 'upload', 'calculate']);
  expect(Object.values(manager.metrics.timings).every((ms) => ms > 0)).toBe(true);
});

test('whoever waits is let go when they leave, and when the manager stops', async () => {
  const server = new MemoryBlobServer({ isInstant: false });
  const { manager, clock, scan } = follow({ 'a.ts': 'a' }, { server });
  scan('a.ts');
  await clock.untilWaiting(3_000);
  const leaving = new AbortController();
  const left = manager.whenSettled(leaving.signal);
  const stayed = manager.whenSettled();

  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'cancelled' });
  manager.stop();
  await expect(stayed).rejects.toMatchObject({ code: 'cancelled' });
  expect(clock.waiting).toEqual([]);
});
