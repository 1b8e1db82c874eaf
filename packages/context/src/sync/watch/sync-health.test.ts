import { DragomanError } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HealthNotes } from './sync-health.ts';
import type { WorkspaceSync } from './workspace-sync.ts';
import { makeWorkspace } from './workspace-sync.fixture.ts';

async function scanned(sync: WorkspaceSync): Promise<void> {
  while (sync.health.state === 'scanning') await new Promise((go) => setImmediate(go));
}

test('a workspace is unseen, is scanned, is indexed so far, and is ready', async () => {
  const { server, open } = await makeWorkspace({ 'a.ts': 'a', 'b.ts': 'b', 'c.bin': Buffer.from([0]) });
  const { sync } = await open();
  const uploading = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  server.onUpload = () => {
    uploading.resolve();
    return mayGoOn.promise;
  };
  expect(sync.health).toEqual({ state: 'unseen', files: 0 });

  const refreshed = sync.refresh();
  expect(sync.health).toEqual({ state: 'scanning', files: 0 });
  await uploading.promise;
  await scanned(sync);
  expect(sync.health).toEqual({ state: 'indexing', files: 0, progress: { done: 0, total: 2 } });
  mayGoOn.resolve();
  await refreshed;

  expect(sync.health).toEqual({ state: 'ready', files: 2 });
});

test('of one more file, one is told and not all that ever went in', async () => {
  const { server, open, write } = await makeWorkspace({ 'a.ts': 'a', 'b.ts': 'b' });
  const { sync } = await open();
  await sync.refresh();
  const uploading = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  server.onUpload = () => {
    uploading.resolve();
    return mayGoOn.promise;
  };
  write('c.ts', 'c');

  const refreshed = sync.refresh();
  await uploading.promise;
  await scanned(sync);
  expect(sync.health).toEqual({ state: 'indexing', files: 2, progress: { done: 0, total: 1 } });
  mayGoOn.resolve();
  await refreshed;

  expect(sync.health).toEqual({ state: 'ready', files: 3 });
});

test('what went wrong is told until it goes well', async () => {
  const { server, open } = await makeWorkspace({ 'a.ts': 'a' });
  const { sync } = await open();
  server.onProbe = () => {
    throw new DragomanError('unauthenticated', 'The token is not known.');
  };

  await expect(sync.refresh()).rejects.toThrow('The token is not known.');
  expect(sync.health).toEqual({ state: 'problem', files: 0, problem: 'The token is not known.' });

  server.onProbe = () => {};
  await sync.refresh();
  expect(sync.health).toEqual({ state: 'ready', files: 1 });
});

test('whatever happens in whatever order, no more is done than there is to do', () => {
  const step = fc.record({ taken: fc.nat(50), ended: fc.nat(60) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const notes = new HealthNotes();
      let [taken, awaited] = [0, 0];
      for (const { taken: more, ended } of steps) {
        taken += more;
        awaited = Math.max(0, awaited + more - ended);
        notes.noteWork(taken, awaited);
        const { state, progress } = notes.tell({ files: 0, isScanning: false, taken, awaited, trouble: undefined });
        expect(state === 'indexing').toBe(awaited > 0);
        if (progress === undefined) continue;
        expect(progress.total - progress.done).toBe(awaited);
        expect(progress.done).toBeGreaterThanOrEqual(0);
      }
    }),
    { seed: 1 },
  );
});
