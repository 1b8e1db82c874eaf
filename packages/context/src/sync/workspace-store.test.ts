import { openStore, type RoomMigrations, type Store } from '@dragoman/server';
import { freshLocation, STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FollowedFile, PathEntry } from './pipeline/path-map.ts';
import { WorkspaceStore } from './workspace-store.ts';
import { workspaceMigration } from './workspace-tables.ts';

const ROOMS: RoomMigrations[] = [{ room: 'context', migrations: [workspaceMigration] }];

const file = (path: string, changes: Partial<FollowedFile> = {}): FollowedFile => ({
  path,
  size: 12,
  mtimeMs: 1_700_000_000_123.456,
  ctimeMs: 1_700_000_000_124.25,
  inode: 9_007_199_254_740_991,
  isSettled: true,
  blobName: 'a'.repeat(64),
  leftOut: undefined,
  status: 0,
  ...changes,
});
const byPath = (files: FollowedFile[] | Map<string, PathEntry>) =>
  (Array.isArray(files) ? [...files] : [...files].map(([path, entry]) => ({ path, ...entry }))).sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );

describe.each(STORE_ENGINES)('on %s', (engine) => {
  async function open(): Promise<{ store: Store; workspaces: WorkspaceStore; tick: () => void }> {
    const store = await openStore(await freshLocation(engine, ROOMS), { rooms: ROOMS });
    onTestFinished(() => store.close());
    let now = 1_000;
    return { store, workspaces: new WorkspaceStore(store, () => now), tick: () => void (now += 1_000) };
  }
  const place = { userId: 'usr_1', root: '/home/ann/project', host: 'desk' };
  const created = { ...place, name: 'project', server: 'local' };

  test('a workspace is made once for a user, a machine and a root', async () => {
    const { workspaces } = await open();

    const opened = await Promise.all(Array.from({ length: 5 }, () => workspaces.open(created)));
    const { id } = opened[0]!;

    expect(new Set(opened.map((workspace) => workspace.id)).size).toBe(1);
    expect(opened[0]).toEqual({ id, ...created, createdAt: 1_000, updatedAt: 1_000 });
    expect(await workspaces.find(place)).toEqual(opened[0]);
    expect(await workspaces.find({ ...place, userId: 'usr_2' })).toBeUndefined();
    expect((await workspaces.open({ ...created, host: 'laptop' })).id).not.toBe(id);
  });

  test('files come back exactly as they were saved [SYNC-48] [SYNC-87]', async () => {
    const { workspaces } = await open();
    const { id } = await workspaces.open(created);
    const files = [
      file('a.ts', { status: 1 }),
      file('b.bin', { blobName: undefined, leftOut: 'binary', isSettled: false }),
      file('çà/ü 🙂.ts', { mtimeMs: 0.1, inode: 1.8e19, size: 0 }),
    ];

    await workspaces.saveChanges(id, { saved: files, deleted: [] });
    expect(byPath(await workspaces.loadFiles(id))).toEqual(byPath(files));

    await workspaces.saveChanges(id, { saved: [file('a.ts', { size: 13, status: 0 })], deleted: ['b.bin', 'none'] });
    expect(byPath(await workspaces.loadFiles(id))).toEqual([file('a.ts', { size: 13 }), files[2]!]);
  });

  test('times and paths of every kind come back exactly, also where no file has a number too large or too fine', async () => {
    const { workspaces } = await open();
    const { id } = await workspaces.open(created);
    const times = [
      0, 1, 86_400_000.5, 1_000_000_000_000.001, 1_731_661_200_000.9998, 1_794_733_904_534.165, 4_102_444_800_000,
    ];
    const paths = [
      'a,b.ts',
      '"q".ts',
      'new\nline',
      '\ttab',
      '%d',
      "it's",
      '\\',
      '🙂',
      '\uffff',
      'e\u0301',
      '-',
      ' ',
      '0',
      '语/x',
    ];
    const files = paths.flatMap((path, at) =>
      times.map((mtimeMs, time) =>
        file(`${path}/${time}`, {
          mtimeMs,
          ctimeMs: times[(time + at) % times.length]!,
          inode: at * 1_000_003,
          size: at,
          status: at % 2,
          ...(at % 3 === 0 ? { blobName: undefined, leftOut: 'too-large' as const } : {}),
        }),
      ),
    );

    await workspaces.saveChanges(id, { saved: files, deleted: [] });
    expect(byPath(await workspaces.loadFiles(id))).toEqual(byPath(files));
  });

  test('many more files than one statement holds are saved and come back', async () => {
    const { workspaces } = await open();
    const { id } = await workspaces.open(created);
    const files = Array.from({ length: 7_001 }, (_, index) => file(`src/${index}.ts`, { size: index }));

    await workspaces.saveChanges(id, { saved: files, deleted: [] });
    expect(byPath(await workspaces.loadFiles(id))).toEqual(byPath(files));

    await workspaces.saveChanges(id, { saved: [], deleted: files.slice(1).map(({ path }) => path) });
    expect(byPath(await workspaces.loadFiles(id))).toEqual([files[0]]);
  });

  test('a path that is too long for a key is left to be read again, and the others are saved', async () => {
    const { workspaces } = await open();
    const { id } = await workspaces.open(created);

    await workspaces.saveChanges(id, { saved: [file(`${'ü/'.repeat(1_200)}a.ts`), file('b.ts')], deleted: [] });

    expect(byPath(await workspaces.loadFiles(id))).toEqual([file('b.ts')]);
  });

  test('only confirmed names are given out, and none after a move to another server', async () => {
    const { workspaces } = await open();
    const { id } = await workspaces.open(created);
    const saved = [file('a.ts', { status: 1, blobName: 'b'.repeat(64) }), file('c.ts')];
    await workspaces.saveChanges(id, { saved, deleted: [] });

    expect(await workspaces.blobNames(id)).toEqual(['b'.repeat(64)]);

    const moved = await workspaces.open({ ...created, server: 'https://blobs.example' });
    expect(moved).toMatchObject({ id, server: 'https://blobs.example' });
    expect(await workspaces.blobNames(id)).toEqual([]);
    expect(byPath(await workspaces.loadFiles(id)).map(({ status }) => status)).toEqual([0, 0]);
  });

  test('workspaces are listed, the last one used first, and a deleted one leaves no rows', async () => {
    const { store, workspaces, tick } = await open();
    const first = await workspaces.open(created);
    tick();
    const second = await workspaces.open({ ...created, userId: 'usr_2', root: '/srv/other' });
    tick();
    await workspaces.saveChanges(first.id, { saved: [file('a.ts', { status: 1 }), file('b.ts')], deleted: [] });

    expect((await workspaces.list()).map(({ id }) => id)).toEqual([first.id, second.id]);
    expect([await workspaces.countFiles(first.id), await workspaces.countFiles(second.id)]).toEqual([1, 0]);
    expect((await workspaces.list('usr_2')).map(({ id }) => id)).toEqual([second.id]);

    expect(await workspaces.delete(first.id)).toBe(true);
    expect(await workspaces.delete(first.id)).toBe(false);
    expect(await workspaces.list()).toHaveLength(1);
    expect(await store.tables<{ context_files: object }>().selectFrom('context_files').selectAll().execute()).toEqual(
      [],
    );
  });
});
