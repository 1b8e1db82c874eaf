import { STORE_ENGINES } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blobOf, openContextStore } from '../blobs/blob.fixture.ts';
import { BlobStore } from '../blobs/blob-store.ts';
import type { BlobTables } from '../blobs/blob-tables.ts';
import { BlobsetStore } from './blobset-store.ts';
import { CheckpointStore } from './checkpoint-store.ts';

const DAY_MS = 86_400_000;
const manyBlobs = (count: number) => Array.from({ length: count }, (_, number) => blobOf(`${number}.ts`, `${number}`));
const sorted = (names: Iterable<string>) => [...names].sort();

describe.each(STORE_ENGINES)('on %s', (engine) => {
  async function open(options: { now?: () => number } = {}) {
    const store = await openContextStore(engine);
    const blobs = new BlobStore(store, options);
    return {
      store,
      blobs,
      checkpoints: new CheckpointStore(store, blobs, options),
      /** As after a restart: nothing in memory. */
      reopened: () => new CheckpointStore(store, new BlobStore(store, options), options),
    };
  }

  test('SYNC-71 a checkpoint is the set that results from the one before, and is known after a restart', async () => {
    const { blobs, checkpoints, reopened } = await open();
    const given = manyBlobs(3);
    const [a, b, c] = given.map((blob) => blob.blobName) as [string, string, string];
    await blobs.put('ada', given);

    const first = await checkpoints.checkpoint('ada', { checkpointId: null, added: [a, b], deleted: [] });
    const second = await checkpoints.checkpoint('ada', { checkpointId: first, added: [c], deleted: [a] });

    for (const store of [checkpoints, reopened()]) {
      const resolved = await store.resolve('ada', { checkpointId: second, added: [], deleted: [] });
      expect(resolved).toMatchObject({ unownedCount: 0, isCheckpointKnown: true });
      expect(sorted(resolved.view.blobNames)).toEqual(sorted([b, c]));
      const later = await store.resolve('ada', { checkpointId: second, added: [a], deleted: [b] });
      expect(sorted(later.view.blobNames)).toEqual(sorted([a, c]));
    }
  });

  test('SYNC-71 the same set has the same id, in any order and by any way', async () => {
    const { checkpoints, reopened } = await open();
    const names = manyBlobs(3).map((blob) => blob.blobName);

    const whole = await checkpoints.checkpoint('ada', { added: names, deleted: [] });
    const part = await checkpoints.checkpoint('ada', { added: names.slice(0, 1), deleted: [] });

    expect(whole).toMatch(/^cp_[0-9a-f]{64}$/);
    expect(
      await checkpoints.checkpoint('ada', { checkpointId: part, added: names.slice(1).toReversed(), deleted: [] }),
    ).toBe(whole);
    expect(await reopened().checkpoint('ada', { checkpointId: whole, added: [], deleted: names.slice(1) })).toBe(part);
    expect(await checkpoints.checkpoint('eve', { added: names, deleted: [] })).not.toBe(whole);
  });

  test("SYNC-71 an id that is unknown, malformed or another user's counts as the empty set", async () => {
    const { blobs, checkpoints } = await open();
    const [blob] = manyBlobs(1);
    await blobs.put('ada', [blob!]);
    await blobs.put('eve', [blob!]);
    const mine = await checkpoints.checkpoint('ada', { added: [blob!.blobName], deleted: [] });
    const none = await checkpoints.checkpoint('eve', { added: [], deleted: [] });

    for (const checkpointId of [mine, `cp_${'0'.repeat(64)}`, 'cp-4', '\0', "'"]) {
      expect(await checkpoints.checkpoint('eve', { checkpointId, added: [], deleted: [] })).toBe(none);
      expect(await checkpoints.resolve('eve', { checkpointId, added: [], deleted: [] })).toMatchObject({
        isCheckpointKnown: false,
        view: { blobNames: new Set() },
      });
    }
    expect(await checkpoints.resolve('eve', { checkpointId: none, added: [], deleted: [] })).toMatchObject({
      isCheckpointKnown: true,
      unownedCount: 0,
    });
  });

  test('a set shows only what its user uploaded, and more as it is uploaded', async () => {
    const { blobs, checkpoints } = await open();
    const [mine, theirs, later] = manyBlobs(3) as [ReturnType<typeof blobOf>, ...ReturnType<typeof blobOf>[]];
    await blobs.put('ada', [mine]);
    await blobs.put('bob', [theirs!]);
    const set = { added: [mine, theirs!, later!].map((blob) => blob.blobName), deleted: [] };
    const checkpointId = await checkpoints.checkpoint('ada', { ...set });
    const look = () => checkpoints.resolve('ada', { checkpointId, added: [], deleted: [] });

    const before = await look();
    expect(before.view.blobNames).toEqual(new Set([mine.blobName]));
    expect(before.unownedCount).toBe(2);
    await blobs.put('ada', [later!]);
    const after = await look();
    expect(after.view.blobNames).toEqual(new Set([mine.blobName, later!.blobName]));
    expect(after.view.key).not.toBe(before.view.key);
    await blobs.remove('ada', [later!.blobName]);
    expect((await look()).view).toEqual(before.view);
  });

  test('a large set of which much is missing is not asked about again until something can have come', async () => {
    let now = 20_000 * DAY_MS;
    const { store, blobs, checkpoints } = await open({ now: () => now });
    const asked: number[] = [];
    const { owned } = blobs;
    blobs.owned = (userId, names) => {
      asked.push(names.length);
      return owned.call(blobs, userId, names);
    };
    const [mine, later, elsewhere] = manyBlobs(3) as [ReturnType<typeof blobOf>, ...ReturnType<typeof blobOf>[]];
    await blobs.put('ada', [mine]);
    const invented = Array.from({ length: 2_000 }, (_, number) => number.toString(16).padStart(64, '0'));
    const added = [...invented, mine.blobName, later!.blobName, elsewhere!.blobName];
    const checkpointId = await checkpoints.checkpoint('ada', { added, deleted: [] });

    for (const set of [
      { checkpointId, added: [], deleted: [] },
      { added, deleted: [] },
    ]) {
      const count = async () => (await checkpoints.resolve('ada', set)).view.blobNames.size;
      const before = await count();
      asked.length = 0;
      expect([await count(), await count()]).toEqual([before, before]);
      expect(asked).toEqual([]);
    }
    const look = () => checkpoints.resolve('ada', { checkpointId, added: [], deleted: [] });
    await blobs.put('bob', [later!]);
    expect([(await look()).view.blobNames.size, asked]).toEqual([1, []]);
    await blobs.put('ada', [later!]);
    expect((await look()).view.blobNames).toEqual(new Set([mine.blobName, later!.blobName].sort()));
    await new BlobStore(store).put('ada', [elsewhere!]);
    now += 2_000;
    expect((await look()).view.blobNames.size).toBe(3);
    await blobs.remove('ada', [mine.blobName]);
    expect(await look()).toMatchObject({ unownedCount: 2_001 });
  });

  test('equal views have equal keys, whoever sees them and however they were named', async () => {
    const { blobs, checkpoints } = await open();
    const given = manyBlobs(3);
    const names = given.map((blob) => blob.blobName);
    await blobs.put('ada', given);
    await blobs.put('bob', given);
    const checkpointId = await checkpoints.checkpoint('ada', { added: names.slice(0, 2), deleted: [] });

    const keys = [
      await checkpoints.resolve('ada', { checkpointId, added: names.slice(2), deleted: [] }),
      await checkpoints.resolve('ada', { added: names.toReversed(), deleted: [] }),
      await checkpoints.resolve('bob', { added: [...names, 'f'.repeat(64), 'nonsense'], deleted: [] }),
    ].map(({ view }) => view.key);

    expect(new Set(keys).size).toBe(1);
    expect((await checkpoints.resolve('ada', { checkpointId, added: [], deleted: [] })).view.key).not.toBe(keys[0]);
  });

  test('the checkpoint made last is the newest, also when it was made before', async () => {
    let now = 20_000 * DAY_MS;
    const { blobs, checkpoints } = await open({ now: () => ++now });
    const given = manyBlobs(2);
    const [a, b] = given.map((blob) => blob.blobName) as [string, string];
    await blobs.put('ada', given);
    const newest = async () => (await checkpoints.newest('ada'))?.view.blobNames;

    expect(await newest()).toBeUndefined();
    await checkpoints.checkpoint('ada', { added: [a], deleted: [] });
    await checkpoints.checkpoint('ada', { added: [b], deleted: [] });
    expect(await newest()).toEqual(new Set([b]));
    await checkpoints.checkpoint('ada', { added: [a], deleted: [] });
    expect(await newest()).toEqual(new Set([a]));
  });

  test('what was uploaded through another process is seen at once, also where many names are missing', async () => {
    const { store, blobs, checkpoints } = await open({ now: () => DAY_MS });
    const given = manyBlobs(1_002);
    const names = given.map((blob) => blob.blobName);
    const invented = Array.from({ length: 2_000 }, (_, number) => number.toString(16).padStart(64, '0'));
    const another = new BlobStore(store, { now: () => DAY_MS });
    const resolve = () => checkpoints.resolve('ada', { added: [...names, ...invented], deleted: [] });
    await blobs.put('ada', given.slice(0, 1_001));
    expect((await resolve()).view.blobNames.size).toBe(1_001);
    expect((await checkpoints.everything('ada')).blobNames.size).toBe(1_001);

    await another.put('ada', given.slice(1_001));

    expect((await resolve()).view.blobNames.size).toBe(1_002);
    expect((await checkpoints.everything('ada')).blobNames.size).toBe(1_002);
  });

  test('what is in use stays with everything it was made from, and the rest goes after 30 days', async () => {
    let day = 20_000;
    const { checkpoints, reopened, blobs } = await open({ now: () => day * DAY_MS });
    const given = manyBlobs(40);
    const names = given.map((blob) => blob.blobName);
    await blobs.put('ada', given);
    const base = await checkpoints.checkpoint('ada', { added: names.slice(0, 30), deleted: [] });
    const used = await checkpoints.checkpoint('ada', { checkpointId: base, added: [names[30]!], deleted: [] });
    const unused = await checkpoints.checkpoint('ada', { checkpointId: base, added: [names[31]!], deleted: [] });
    const count = async (id: string) =>
      (await reopened().resolve('ada', { checkpointId: id, added: [], deleted: [] })).view.blobNames.size;

    day += 20;
    expect(await count(used)).toBe(31);
    day += 20;
    expect(await checkpoints.sweep()).toBe(1);
    expect([await count(used), await count(unused), await count(base)]).toEqual([31, 0, 30]);
    day += 31;
    await checkpoints.sweep();
    expect(await checkpoints.resolve('ada', { checkpointId: used, added: [], deleted: [] })).toMatchObject({
      isCheckpointKnown: false,
    });
    expect(await checkpoints.checkpoint('ada', { added: names.slice(0, 31), deleted: [] })).toBe(used);
    expect(await count(used)).toBe(31);
  });

  test('a checkpoint that lost what it was made from is made again as a whole, and so is right for those made from it', async () => {
    const { store, checkpoints, reopened, blobs } = await open();
    const given = manyBlobs(10);
    const names = given.map((blob) => blob.blobName);
    await blobs.put('ada', given);
    const base = await checkpoints.checkpoint('ada', { added: names.slice(0, 6), deleted: [] });
    const middle = await checkpoints.checkpoint('ada', { checkpointId: base, added: [names[6]!], deleted: [] });
    const last = await checkpoints.checkpoint('ada', { checkpointId: middle, added: [names[7]!], deleted: [] });
    await store.tables<BlobTables>().deleteFrom('context_checkpoints').where('id', '=', base).execute();
    const count = async (id: string) =>
      (await reopened().resolve('ada', { checkpointId: id, added: [], deleted: [] })).view.blobNames.size;

    expect([await count(middle), await count(last)]).toEqual([0, 0]);
    expect(await reopened().checkpoint('ada', { added: names.slice(0, 7), deleted: [] })).toBe(middle);
    expect([await count(middle), await count(last)]).toEqual([7, 8]);
  });

  test('a hundred changes to a large set are kept as changes, and read again as the set they make', async () => {
    const { store, blobs, checkpoints, reopened } = await open();
    const given = manyBlobs(500);
    const names = given.map((blob) => blob.blobName);
    await blobs.put('ada', given);
    let id = await checkpoints.checkpoint('ada', { added: names.slice(0, 400), deleted: [] });
    for (let number = 0; number < 100; number++) {
      id = await checkpoints.checkpoint('ada', {
        checkpointId: id,
        added: [names[400 + number]!],
        deleted: [names[number]!],
      });
    }

    const { view } = await reopened().resolve('ada', { checkpointId: id, added: [], deleted: [] });
    expect(view.blobNames).toEqual(new Set(names.slice(100)));
    const rows = await store
      .tables<BlobTables>()
      .selectFrom('context_checkpoints')
      .select(['added', 'parent'])
      .execute();
    const bytes = rows.reduce((sum, row) => sum + row.added.length, 0);
    expect(rows).toHaveLength(101);
    expect(bytes).toBeLessThan(4 * 400 * 32);
  });

  test('SYNC-71 any chain of changes gives the set that one computes by hand', async () => {
    const { blobs, checkpoints, reopened } = await open();
    const given = manyBlobs(12);
    const names = given.map((blob) => blob.blobName);
    await blobs.put('ada', given);
    const some = fc.array(fc.integer({ min: 0, max: 11 }), { maxLength: 6 });
    const step = fc.record({ from: fc.integer({ min: -1, max: 30 }), added: some, deleted: some });

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
        const made: { id: string; names: Set<string> }[] = [];
        for (const { from, added, deleted } of steps) {
          const base = made.length === 0 ? undefined : made[from % made.length];
          const expected = new Set(base?.names);
          for (const number of deleted) expected.delete(names[number]!);
          for (const number of added) expected.add(names[number]!);
          const id = await checkpoints.checkpoint('ada', {
            checkpointId: base?.id,
            added: added.map((number) => names[number]!),
            deleted: deleted.map((number) => names[number]!),
          });
          made.push({ id, names: expected });
        }
        const fresh = reopened();
        for (const { id, names: expected } of made) {
          const { view } = await fresh.resolve('ada', { checkpointId: id, added: [], deleted: [] });
          expect(sorted(view.blobNames)).toEqual(sorted(expected));
        }
      }),
      { seed: 1, numRuns: 15 },
    );
  });

  test('the blobs of a commit are kept for the user who registered them', async () => {
    let now = 0;
    const blobsets = new BlobsetStore(await openContextStore(engine), { now: () => ++now, max: 5 });
    const sha = (number: number) => number.toString(16).padStart(40, '0');
    const of = (number: number, checkpointId = `cp_${number}`) => ({
      commitSha: sha(number),
      commitTime: '2026-11-15T02:25:07.000Z',
      checkpointId,
    });
    await blobsets.register('ada', of(1));
    await blobsets.register('ada', of(2));
    await blobsets.register('ada', of(1, 'cp_new'));
    await blobsets.register('ada', { ...of(3), commitSha: 'not a commit\0' });

    expect(await blobsets.latest('ada', [sha(9), sha(1), sha(2)])).toEqual(of(1, 'cp_new'));
    expect(await blobsets.latest('ada', [sha(2)])).toEqual(of(2));
    expect(await blobsets.latest('ada', [sha(9), 'x', '\0'])).toBeUndefined();
    expect(await blobsets.latest('bob', [sha(1)])).toBeUndefined();
    for (let number = 10; number < 16; number++) await blobsets.register('ada', of(number));
    expect(await blobsets.latest('ada', [sha(2), sha(10)])).toBeUndefined();
    expect(await blobsets.latest('ada', [sha(11)])).toEqual(of(11));
  });
});
