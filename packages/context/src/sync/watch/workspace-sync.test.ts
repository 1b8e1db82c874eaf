import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { blobName } from '../blob-name.ts';
import { ManualClock } from '../pipeline/manual-clock.fixture.ts';
import { lasting } from '../pipeline/memory-blob-server.fixture.ts';
import type { Subscribe } from './watch-folder.ts';
import type { SyncProgress } from './workspace-sync.ts';
import { makeWorkspace, namesIn } from './workspace-sync.fixture.ts';

const NO_WATCHER: Subscribe = async () => {
  throw new Error('not on this system');
};

test('after a refresh the view holds exactly the files that are followed', async () => {
  const { server, open, onDisk } = await makeWorkspace({
    'src/a.ts': 'a',
    'src/deep/er/b.ts': 'b',
    'empty.txt': '',
    'dist/out.js': 'out',
    '.gitignore': 'dist/\n',
    'logo.png': Buffer.from([0x89, 0x50, 0, 1]),
  });
  const { sync } = await open();
  expect(namesIn(sync)).toEqual([]);

  await sync.refresh();

  expect(namesIn(sync)).toEqual(onDisk((path) => !path.startsWith('dist/') && path !== 'logo.png'));
  expect([...server.indexed].sort()).toEqual(namesIn(sync));
});

test('what is left out is counted by reason [SYNC-36]', async () => {
  const { server, open } = await makeWorkspace({
    'a.bin': Buffer.from([0]),
    'b.bin': Buffer.from([0]),
    'bad.ts': 'bad',
    id_rsa: 'key',
  });
  server.onUpload = () => {
    throw lasting();
  };
  const { sync } = await open();

  await sync.refresh();

  const [first, ...others] = sync.rejections();
  expect(first).toEqual({ reason: 'Binary file', count: 2, example: expect.stringMatching(/^[ab]\.bin$/) });
  expect(others).toHaveLength(2);
  expect(others).toContainEqual({ reason: 'Rejected by intake service', count: 1, example: 'bad.ts' });
  expect(others).toContainEqual(expect.objectContaining({ count: 1, example: 'id_rsa' }));
});

test('what is no plain file, cannot be read, is no text or is too large is left out, each with its reason and count [SYNC-43] [SYNC-44] [SYNC-45] [SYNC-46] [SYNC-66]', async () => {
  const deep = Array.from({ length: 14 }, () => 'l'.repeat(200)).join('/');
  const { root, server, open } = await makeWorkspace({
    'ok.ts': 'ok',
    'full.ts': 'x'.repeat(100),
    'large.ts': 'x'.repeat(101),
    'binary.dat': Buffer.from([1, 0, 2]),
    'latin1.txt': Buffer.from([0x63, 0xe9]),
    [`${deep}/a.ts`]: 'a',
  });
  symlinkSync(join(root, 'ok.ts'), join(root, 'link.ts'));
  // The folder can still be listed; its file has a path that is too long for the system.
  const names = Math.floor((4_094 - Buffer.byteLength(join(root, deep, 'm/'))) / 251);
  const inner = join('moved', ...Array.from({ length: names }, () => 'm'.repeat(250)));
  mkdirSync(join(root, inner), { recursive: true });
  writeFileSync(join(root, inner, 'f'.repeat(255)), 'unreachable');
  renameSync(join(root, 'moved'), join(root, deep, 'm'));
  onTestFinished(() => renameSync(join(root, deep, 'm'), join(root, 'moved')));
  const { sync } = await open({ maxBlobBytes: 100 });

  await sync.refresh();

  const reasons = [...sync.leftOut()].map(({ path, reason }) => `${basename(path).slice(0, 10)}: ${reason}`);
  expect(reasons.toSorted()).toEqual([
    'binary.dat: Binary file',
    `${'f'.repeat(10)}: File not readable`,
    'large.ts: Large file',
    'latin1.txt: Binary file',
    'link.ts: Not a file',
  ]);
  expect(
    server.uploads
      .flat()
      .map(({ path }) => basename(path))
      .toSorted(),
  ).toEqual(['a.ts', 'full.ts', 'ok.ts']);
  expect(sync.metrics.counters).toMatchObject({
    'paths accepted': 3,
    'paths not accessible': 1,
    'not plain files': 1,
    'large files': 1,
    'encoding errors': 2,
    'blobs uploaded': 3,
  });
});

test.skipIf(process.getuid?.() === 0)('a file without permission cannot be read [SYNC-44] (not as root)', async () => {
  const { root, open } = await makeWorkspace({ 'a.ts': 'a' });
  chmodSync(join(root, 'a.ts'), 0);
  const { sync } = await open();

  await sync.refresh();

  expect([...sync.leftOut()]).toEqual([{ path: 'a.ts', reason: 'File not readable' }]);
});

test('what the scans met is counted and where their time went is measured, under Path metrics [SYNC-22, SYNC-23]', async () => {
  const { root, open } = await makeWorkspace({ 'a.ts': 'a', 'b.ts': 'b', 'c/d.pem': '' });
  symlinkSync('a.ts', join(root, 'link'));
  const { sync } = await open();

  await sync.refresh();

  expect(sync.pathMetrics.name).toBe('Path metrics');
  expect(sync.pathMetrics.counters).toEqual({
    'directories emitted': 1,
    'files emitted': 3,
    'other paths emitted': 1,
    'total paths emitted': 5,
  });
  expect(Object.keys(sync.pathMetrics.timings)).toEqual(['readDir', 'filter', 'yield', 'total']);
  const { readDir, filter, total } = sync.pathMetrics.timings;
  expect(Math.min(readDir, filter)).toBeGreaterThan(0);
  expect(total).toBeGreaterThanOrEqual(readDir + filter);
});

test('a workspace that turns out to be a large one is counted once [SYNC-22]', async () => {
  const { open } = await makeWorkspace(
    Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`a${index}.ts`, `${index}`])),
  );
  const { sync } = await open();

  await sync.refresh();

  expect(sync.pathMetrics.counters).toMatchObject({ 'files emitted': 4_000, 'total paths emitted': 4_000 });
});

test('the limit that a server announces is followed, within the one that is set [SYNC-11]', async () => {
  const files = { 'small.ts': 'x'.repeat(100), 'middle.ts': 'x'.repeat(150), 'large.ts': 'x'.repeat(201) };
  const { server, open, onDisk } = await makeWorkspace(files);
  Object.assign(server, { maxBlobBytes: async () => 200 });

  const { sync } = await open();
  await sync.refresh();
  expect(namesIn(sync)).toEqual(onDisk((path) => path !== 'large.ts'));
  await sync.stop();

  const { sync: stricter } = await open({ maxBlobBytes: 120 });
  await stricter.refresh();
  expect(namesIn(stricter)).toEqual(onDisk((path) => path === 'small.ts'));
  await stricter.stop();

  Object.assign(server, { maxBlobBytes: async () => 2_000_000 });
  const { sync: wider } = await open();
  await wider.refresh();
  expect(namesIn(wider)).toEqual(onDisk());
});

test('a change, a new file, a rename in case and a deletion are in the next view', async () => {
  const { root, write, remove, open, onDisk } = await makeWorkspace({ 'a.ts': 'a', 'b.ts': 'b', 'Name.ts': 'n' });
  const { sync } = await open();
  await sync.refresh();
  const { key } = sync.view();

  await sync.refresh();
  expect(sync.view().key).toBe(key);

  write('a.ts', 'changed');
  write('new/c.ts', 'c');
  renameSync(join(root, 'Name.ts'), join(root, 'name.ts'));
  remove('b.ts');
  await sync.refresh();
  expect(namesIn(sync)).toEqual(onDisk());
  expect(sync.view().key).not.toBe(key);

  write('a.ts', 'a');
  write('b.ts', 'b');
  renameSync(join(root, 'name.ts'), join(root, 'Name.ts'));
  remove('new');
  await sync.refresh();
  expect(sync.view().key).toBe(key);
});

test('a large workspace is followed like a small one', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 2_300 }, (_, index) => [`${index % 9}/f${index}.ts`, `${index}`]),
  );
  const { write, remove, open, onDisk } = await makeWorkspace(files);
  const { sync } = await open();
  await sync.refresh();
  expect(namesIn(sync)).toEqual(onDisk());

  write('3/f3.ts', 'changed');
  remove('4');
  await sync.refresh();

  expect(namesIn(sync)).toEqual(onDisk());
});

test('a file that becomes a folder, and a folder that becomes a file', async () => {
  const { write, remove, open, onDisk } = await makeWorkspace({ a: 'file', 'b/x.ts': 'x', 'b/y/z.ts': 'z' });
  const { sync } = await open();
  await sync.refresh();

  remove('a');
  write('a/inside.ts', 'in');
  remove('b');
  write('b', 'now a file');
  await sync.refresh();

  expect(namesIn(sync)).toEqual(onDisk());
});

test('after a restart nothing that is confirmed is probed again, and the view is there before the first look [SYNC-87]', async () => {
  const { server, write, open, onDisk } = await makeWorkspace({ 'a.ts': 'a', 'b.ts': 'b' });
  const { sync } = await open();
  await sync.refresh();
  await sync.stop();
  server.probes.length = 0;

  const { sync: again } = await open();
  expect(namesIn(again)).toEqual(onDisk());
  await again.refresh();
  expect(server.probes).toEqual([]);

  write('b.ts', 'changed');
  await again.refresh();
  expect(new Set(server.probes.flat())).toEqual(new Set([blobName('b.ts', 'changed')]));
  expect(namesIn(again)).toEqual(onDisk());
});

test('what is saved while blobs are on their way is not confirmed, so that a kill at that moment does no harm [SYNC-87]', async () => {
  const { server, open, onDisk } = await makeWorkspace({ 'a.ts': 'a', 'b.ts': 'b' });
  const clock = new ManualClock();
  const { sync, workspaces } = await open({ clock });
  const gate = Promise.withResolvers<void>();
  server.onUpload = () => gate.promise;
  const refreshed = sync.refresh();
  await server.until(() => server.uploads.length === 1);

  clock.advance(500);
  const { id } = sync.workspace;
  while ((await workspaces.loadFiles(id)).size < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(await workspaces.blobNames(id)).toEqual([]);

  gate.resolve();
  await refreshed;
  expect(namesIn(sync)).toEqual(onDisk());
});

test('a workspace that moves to another server asks that one about everything', async () => {
  const { server, open, onDisk } = await makeWorkspace({ 'a.ts': 'a' });
  const { sync } = await open();
  await sync.refresh();
  await sync.stop();
  server.stored.clear();
  server.indexed.clear();

  const { sync: moved } = await open({ serverName: 'https://blobs.example' });
  expect(namesIn(moved)).toEqual([]);
  await moved.refresh();
  expect(namesIn(moved)).toEqual(onDisk());
});

test('a server that has forgotten is given everything again after a recheck', async () => {
  const { server, open, onDisk } = await makeWorkspace({ 'a.ts': 'a' });
  const { sync } = await open();
  await sync.refresh();
  server.stored.clear();
  server.indexed.clear();

  sync.recheck();
  expect(namesIn(sync)).toEqual([]);
  await sync.refresh();

  expect(namesIn(sync)).toEqual(onDisk());
  expect(server.stored.size).toBe(1);
});

test('refreshes at the same time share their work, and one that comes later sees what was written before it', async () => {
  const { server, write, open, onDisk } = await makeWorkspace({ 'a.ts': 'a' });
  const { sync } = await open();
  const first = Array.from({ length: 5 }, () => sync.refresh());
  await server.until(() => server.probes.length > 0);
  write('b.ts', 'b');
  const later = Array.from({ length: 5 }, () => sync.refresh());

  await Promise.all([...first, ...later]);

  expect(namesIn(sync)).toEqual(onDisk());
  // One look for the first five, one for the others: a file was looked at twice, or three times with b.ts.
  expect(sync.metrics.counters['mtime cache misses'] + sync.metrics.counters['mtime cache hits']).toBe(3);
});

test('a refresh tells how far it is', async () => {
  const seen: SyncProgress[] = [];
  const { open } = await makeWorkspace({ 'a.ts': 'aaaa', 'b.ts': 'bb' });
  const { sync } = await open({ onProgress: (progress) => seen.push(progress) });

  await sync.refresh();

  expect(seen[0]).toEqual({
    isScanning: true,
    files: 2,
    bytes: 6,
    uploaded: 0,
    uploadedBytes: 0,
    taken: 2,
    remaining: 2,
  });
  expect(sync.progress).toEqual({
    isScanning: false,
    files: 2,
    bytes: 6,
    uploaded: 2,
    uploadedBytes: 6,
    taken: 2,
    remaining: 0,
  });
});

test('a refresh fails with the reason when the server refuses us, and works when it no longer does', async () => {
  const { server, open, onDisk } = await makeWorkspace({ 'a.ts': 'a' });
  const { sync } = await open();
  server.onProbe = () => {
    throw new DragomanError('unauthenticated', 'The token was not accepted.');
  };
  await expect(sync.refresh()).rejects.toMatchObject({ code: 'unauthenticated' });

  server.onProbe = () => {};
  await sync.refresh();
  expect(namesIn(sync)).toEqual(onDisk());
});

test('a refresh can be left, and the work goes on for others', async () => {
  const { server, open, onDisk } = await makeWorkspace({ 'a.ts': 'a' });
  const { sync } = await open();
  const gate = Promise.withResolvers<void>();
  server.onUpload = () => gate.promise;
  const leaving = new AbortController();
  const left = sync.refresh(leaving.signal);
  const stayed = sync.refresh();
  await server.until(() => server.uploads.length === 1);

  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'cancelled' });
  await expect(sync.refresh(leaving.signal)).rejects.toMatchObject({ code: 'cancelled' });
  gate.resolve();
  await stayed;
  expect(namesIn(sync)).toEqual(onDisk());
});

test('a root that is gone is a clear error, and all is well when it is back', async () => {
  const { root, open, onDisk } = await makeWorkspace({ 'a.ts': 'a' });
  const { sync } = await open();
  await sync.refresh();
  renameSync(root, `${root}-away`);

  await expect(sync.refresh()).rejects.toMatchObject({ code: 'not-found', message: expect.stringContaining(root) });

  renameSync(`${root}-away`, root);
  await sync.refresh();
  expect(namesIn(sync)).toEqual(onDisk());
});

test('a workspace that was stopped cannot be refreshed, and one that is stopped lets everybody go', async () => {
  const { server, open } = await makeWorkspace({ 'a.ts': 'a' });
  const { sync } = await open();
  server.onUpload = () => new Promise(() => {});
  const refused = sync.refresh().catch((error: unknown) => error);
  await server.until(() => server.uploads.length === 1);

  await sync.stop();

  expect(await refused).toMatchObject({ code: 'cancelled' });
  await expect(sync.refresh()).rejects.toMatchObject({ code: 'cancelled' });
});

/** A watched workspace that has come to rest. */
async function openWatched(files: Record<string, string | Buffer>) {
  const workspace = await makeWorkspace(files);
  const { sync } = await workspace.open({ watch: true });
  while (!sync.isWatching) await sync.refresh();
  await sync.refresh();
  /** Nobody asks for anything: what is on disk comes into the view by itself. */
  const arrives = async (names: () => string[] = workspace.onDisk) => {
    while (JSON.stringify(namesIn(sync)) !== JSON.stringify(names())) await new Promise((go) => setImmediate(go));
  };
  return { ...workspace, sync, arrives };
}

test('when a folder is watched, changes come by themselves', async () => {
  const { root, write, remove, sync, arrives } = await openWatched({ 'a.ts': 'a', 'b.ts': 'b', 'dir/c.ts': 'c' });

  write('a.ts', 'changed');
  await arrives();
  write('new.ts', 'new');
  await arrives();
  remove('b.ts');
  await arrives();
  renameSync(join(root, 'dir'), join(root, 'Dir'));
  await arrives();
  write('Dir/c.ts', 'c2');
  await arrives();
  remove('new.ts');
  write('new.ts/inside.ts', 'a folder now');
  await arrives();
  mkdirSync(join(root, 'x/y/z'), { recursive: true });
  write('x/y/z/deep.ts', 'deep');
  await arrives();
  write('x/y/z/deep.ts', 'deep again');
  await arrives();

  expect(sync.isWatching).toBe(true);
});

test('when a folder is watched and nothing happened, a refresh looks at nothing', async () => {
  const { sync } = await openWatched({ 'a.ts': 'a' });
  const before = { ...sync.metrics.counters };

  await sync.refresh();

  expect(sync.metrics.counters).toEqual(before);
});

test.runIf(process.platform === 'linux')(
  'when a folder is watched, a refresh right after a write has seen it (needs Linux)',
  async () => {
    const { write, remove, onDisk, sync } = await openWatched({ 'a.ts': 'a' });

    for (let round = 0; round < 20; round++) {
      write('a.ts', `round ${round}`);
      if (round % 2 === 0) write('new/deep/b.ts', `round ${round}`);
      else remove('new');
      await sync.refresh();
      expect(namesIn(sync)).toEqual(onDisk());
    }
  },
);

test('when a watched ignore file changes, everything is looked at again', async () => {
  const { write, onDisk, sync, arrives } = await openWatched({ 'a.ts': 'a', 'out/b.ts': 'b', 'out/deep/c.ts': 'c' });
  const followed = () => onDisk((path) => !path.startsWith('out/'));

  write('.gitignore', 'out/\n');
  await arrives(followed);
  write('out/b.ts', 'still left out');
  write('.gitignore', '# nothing\n');
  await arrives();
  while (!sync.isWatching) await sync.refresh();
  await sync.refresh();
  write('out/deep/c.ts', 'followed again');
  await arrives();

  expect(namesIn(sync)).toContain(blobName('out/deep/c.ts', 'followed again'));
});

test('a switch between branches, with thousands of changes at once, is followed', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 1_500 }, (_, index) => [`src/${index % 40}/f${index}.ts`, `main ${index}`]),
  );
  const { write, remove, sync, arrives, onDisk } = await openWatched(files);

  for (let index = 0; index < 1_500; index++) {
    if (index % 3 === 0) remove(`src/${index % 40}/f${index}.ts`);
    else write(`src/${index % 40}/f${index}.ts`, `branch ${index}`);
    if (index % 5 === 0) write(`branch/${index % 30}/sub/g${index}.ts`, `only here ${index}`);
  }
  await arrives();

  await sync.refresh();
  expect(namesIn(sync)).toEqual(onDisk());
});

test('a watched root that is deleted is told at the next refresh', async () => {
  const { root, sync } = await openWatched({ 'a.ts': 'a' });

  rmSync(root, { recursive: true });
  while (sync.isWatching) await new Promise((go) => setImmediate(go));

  await expect(sync.refresh()).rejects.toMatchObject({ code: 'not-found' });
});

test('where nothing can be watched, every refresh looks at everything', async () => {
  const { write, open, onDisk } = await makeWorkspace({ 'a.ts': 'a' });
  const { sync } = await open({ watch: true, subscribe: NO_WATCHER });
  await sync.refresh();

  write('a.ts', 'changed');
  await sync.refresh();

  expect(sync.isWatching).toBe(false);
  expect(namesIn(sync)).toEqual(onDisk());
});

test('a watched workspace asks a server that was away again by itself', async () => {
  const { server, write, open, onDisk } = await makeWorkspace({ 'a.ts': 'a' });
  const clock = new ManualClock();
  const { sync } = await open({ watch: true, clock });
  while (!sync.isWatching) await sync.refresh();
  await sync.refresh();
  server.onProbe = () => {
    throw lasting('down');
  };
  write('b.ts', 'b');
  await clock.untilWaiting(30);
  clock.advance(30);
  await server.until(() => server.probes.some((names) => names.includes(blobName('b.ts', 'b'))));
  await clock.untilWaiting(60_000);

  server.onProbe = () => {};
  clock.advance(60_000);
  while (namesIn(sync).length < 2) await new Promise((go) => setImmediate(go));

  expect(namesIn(sync)).toEqual(onDisk());
});
