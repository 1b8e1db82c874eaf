import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KnownFile } from '../walk/scan-folder.ts';
import { BlobSet } from './blob-set.ts';
import { PathMap } from './path-map.ts';

const name = (letter: string) => letter.repeat(64);
const file = (blobName: string | undefined, changes: Partial<KnownFile> = {}): KnownFile => ({
  size: 3,
  mtimeMs: 1_700_000_000_123.25,
  ctimeMs: 1_700_000_000_123.25,
  inode: 7,
  isSettled: true,
  blobName,
  leftOut: undefined,
  ...changes,
});

test('a file is kept with its path, its blob name and the time it was written [SYNC-48]', () => {
  const map = new PathMap();
  map.set(0, 'src/a.ts', file(name('a')));

  expect([...map.entries(0)]).toEqual([['src/a.ts', { ...file(name('a')), status: 0 }]]);
  expect(map.get(0, 'src/a.ts')).toEqual({ ...file(name('a')), status: 0 });
  expect(map.get(0, 'src/b.ts')).toBeUndefined();
});

test('a confirmation holds for the name it was given for, and ends with it', () => {
  const map = new PathMap();
  map.set(0, 'a.ts', file(name('a')));
  map.confirm(0, 'a.ts', name('b'));
  expect(map.get(0, 'a.ts')?.status).toBe(0);

  map.confirm(0, 'a.ts', name('a'));
  map.set(0, 'a.ts', file(name('a'), { mtimeMs: 5 }));
  expect(map.get(0, 'a.ts')?.status).toBe(1);
  expect([...map.view().blobNames]).toEqual([name('a')]);

  map.set(0, 'a.ts', file(name('c')));
  expect(map.get(0, 'a.ts')?.status).toBe(0);
  expect([...map.view().blobNames]).toEqual([]);
});

test('a blob that two folders have stays while one of them has it', () => {
  const map = new PathMap();
  for (const folderId of [0, 1]) {
    map.set(folderId, 'a.ts', file(name('a')));
    map.confirm(folderId, 'a.ts', name('a'));
  }

  map.delete(0, 'a.ts');
  expect([...map.view().blobNames]).toEqual([name('a')]);
  map.delete(1, 'a.ts');
  expect([...map.view().blobNames]).toEqual([]);
});

test('what changed is handed out once, and again after it could not be saved', () => {
  const map = new PathMap();
  map.load(0, new Map([['old.ts', { ...file(name('a')), status: 1 }]]));
  expect(map.hasChanges(0)).toBe(false);

  map.set(0, 'new.ts', file(name('b')));
  map.set(0, 'old.ts', file(name('a')));
  map.delete(0, 'old.ts');
  const changes = map.takeChanges(0);
  expect(changes).toEqual({ saved: [{ path: 'new.ts', ...file(name('b')), status: 0 }], deleted: ['old.ts'] });
  expect(map.takeChanges(0)).toEqual({ saved: [], deleted: [] });

  map.confirm(0, 'new.ts', name('b'));
  map.returnChanges(0, changes);
  expect(map.takeChanges(0)).toEqual({
    saved: [{ path: 'new.ts', ...file(name('b')), status: 1 }],
    deleted: ['old.ts'],
  });
});

test('equal sets have equal keys, whichever way they came about, and different sets have different ones', () => {
  const steps = fc.array(
    fc.record({ letter: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '0', '1', '2'), isAdded: fc.boolean() }),
  );
  fc.assert(
    fc.property(steps, steps, (some, others) => {
      const [one, another] = [some, others].map((list) => {
        const set = new BlobSet();
        const names = new Set<string>();
        for (const { letter, isAdded } of list) {
          if (isAdded === names.has(name(letter))) continue;
          const before = set.view().key;
          if (isAdded) set.add(name(letter));
          else set.delete(name(letter));
          if (isAdded) names.add(name(letter));
          else names.delete(name(letter));
          expect(set.view().key).not.toBe(before);
        }
        expect(new Set(set.view().blobNames)).toEqual(names);
        expect(set.view()).toBe(set.view());
        return { key: set.view().key, names: [...names].sort().join() };
      });
      expect(one!.key === another!.key).toBe(one!.names === another!.names);
    }),
    { seed: 4747, numRuns: 200 },
  );
});
