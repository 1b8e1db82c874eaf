import { openStore } from '@dragoman/server';
import { freshLocation, STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contextMigrations } from '../../context-migrations.ts';
import { blobOf, openContextStore } from './blob.fixture.ts';
import { BlobStore } from './blob-store.ts';

const DAY_MS = 86_400_000;
const namesOf = (...blobs: { blobName: string }[]) => blobs.map((blob) => blob.blobName);

describe.each(STORE_ENGINES)('on %s', (engine) => {
  const [main, readme, empty] = [blobOf('src/main.ts'), blobOf('README.md', 'Grüße, 世界 🌍\r\n'), blobOf('.keep', '')];

  test('SYNC-69 a name is unknown until this user uploads it, then not indexed, then ready', async () => {
    const blobs = new BlobStore(await openContextStore(engine));
    const names = namesOf(main, readme, empty);

    expect(await blobs.missing('ada', names)).toEqual({ unknown: names, nonindexed: [] });
    await blobs.put('ada', [main, readme]);
    expect(await blobs.missing('ada', names)).toEqual({ unknown: namesOf(empty), nonindexed: namesOf(main, readme) });
    await blobs.markIndexed('seg-1', namesOf(readme));
    expect(await blobs.missing('ada', [...names, ...names])).toEqual({
      unknown: namesOf(empty),
      nonindexed: namesOf(main),
    });
  });

  test('what one user uploaded is unknown to another, who gets it by uploading it and not by naming it', async () => {
    const blobs = new BlobStore(await openContextStore(engine));
    await blobs.put('ada', [main]);
    await blobs.markIndexed('seg-1', namesOf(main));

    expect(await blobs.missing('eve', namesOf(main))).toEqual({ unknown: namesOf(main), nonindexed: [] });
    expect(await blobs.owned('eve', namesOf(main))).toEqual(new Set());
    await blobs.put('eve', [main]);
    expect(await blobs.missing('eve', namesOf(main))).toEqual({ unknown: [], nonindexed: [] });
    expect(await blobs.stats()).toMatchObject({ blobs: 1, bytes: 23 });
  });

  test('texts come back as they were, and names that are not kept are left out', async () => {
    const blobs = new BlobStore(await openContextStore(engine));
    await blobs.put('ada', [main, readme, empty]);

    expect(await blobs.contents([...namesOf(readme, empty), 'a'.repeat(64), 'nonsense', 'a\0b'])).toEqual(
      new Map([
        [readme.blobName, { path: 'README.md', text: 'Grüße, 世界 🌍\r\n' }],
        [empty.blobName, { path: '.keep', text: '' }],
      ]),
    );
    expect(await blobs.facts(namesOf(readme))).toEqual(new Map([[readme.blobName, { path: 'README.md', size: 22 }]]));
    expect(await blobs.contents([])).toEqual(new Map());
  });

  test('names that cannot be are unknown, whatever is in them', async () => {
    const blobs = new BlobStore(await openContextStore(engine));
    const odd = ['', '\0', 'A'.repeat(64), `${'a'.repeat(63)}\0`, "'; drop table context_blobs; --", '\ud800'];

    expect(await blobs.missing('ada', odd)).toEqual({ unknown: odd, nonindexed: [] });
    await blobs.remove('ada', odd);
    expect(await blobs.owned('ada', odd)).toEqual(new Set());
  });

  test('more blobs than a statement has parameters are put and asked for at once', async () => {
    const blobs = new BlobStore(await openContextStore(engine));
    const many = Array.from({ length: 1_200 }, (_, number) => blobOf(`src/${number}.ts`, `${number}`));
    await blobs.put('ada', [...many, ...many.slice(0, 10)]);
    const names = [...namesOf(...many), ...Array.from({ length: 35_000 }, (_, n) => n.toString(16).padStart(64, '0'))];

    const { unknown, nonindexed } = await blobs.missing('ada', names);

    expect([unknown.length, nonindexed.length]).toEqual([35_000, 1_200]);
    expect((await blobs.contents(namesOf(...many))).get(many[1_034]!.blobName)).toEqual({
      path: 'src/1034.ts',
      text: '1034',
    });
    expect(await blobs.allOwned('ada', 1_000_000)).toEqual(namesOf(...many).sort());
  });

  test('two users, and two processes, put the same blobs at the same time', async () => {
    const location = await freshLocation(engine);
    const stores = await Promise.all([1, 2].map(() => openStore(location, { rooms: [contextMigrations] })));
    onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))));
    const many = Array.from({ length: 200 }, (_, number) => blobOf(`src/${number}.ts`));
    const backwards = many.toReversed();

    await Promise.all(
      stores.flatMap((store) => [
        new BlobStore(store).put('ada', many),
        new BlobStore(store).put('bob', backwards),
        new BlobStore(store).put('ada', backwards),
      ]),
    );

    const blobs = new BlobStore(stores[0]!);
    expect(await blobs.stats()).toMatchObject({ blobs: 200, unindexed: 200 });
    expect([await blobs.stats('ada'), await blobs.stats('bob')]).toEqual([await blobs.stats(), await blobs.stats()]);
  });

  test('blobs without a segment are listed in order, and those of a lost segment again', async () => {
    const blobs = new BlobStore(await openContextStore(engine));
    const names = namesOf(main, readme, empty).sort();
    await blobs.put('ada', [main, readme, empty]);

    expect(await blobs.unindexed(2)).toEqual(names.slice(0, 2));
    expect(await blobs.unindexed(2, names[1])).toEqual(names.slice(2));
    await blobs.markIndexed('seg-1', names.slice(0, 2));
    await blobs.markIndexed('seg-2', names.slice(2));
    expect(await blobs.unindexed(9)).toEqual([]);
    await blobs.clearSegment('seg-1');
    expect(await blobs.unindexed(9)).toEqual(names.slice(0, 2));
    expect(await blobs.stats()).toMatchObject({ blobs: 3, unindexed: 2 });
  });

  test('a blob goes when its last owner gives it up', async () => {
    const blobs = new BlobStore(await openContextStore(engine));
    await blobs.put('ada', [main, readme]);
    await blobs.put('bob', [main]);

    await blobs.remove('ada', namesOf(main, readme));

    expect(await blobs.sweep()).toEqual(namesOf(readme));
    expect([...(await blobs.contents(namesOf(main, readme))).keys()]).toEqual(namesOf(main));
    expect(await blobs.owned('bob', namesOf(main))).toEqual(new Set(namesOf(main)));
  });

  test('a blob nobody used for 30 days goes, and asking about it counts as use', async () => {
    let day = 20_000;
    const blobs = new BlobStore(await openContextStore(engine), { now: () => day * DAY_MS + 5 });
    await blobs.put('ada', [main, readme, empty]);

    day += 30;
    await blobs.missing('ada', namesOf(main));
    await blobs.owned('ada', namesOf(empty));
    expect(await blobs.sweep()).toEqual([]);
    day += 1;
    expect(await blobs.sweep()).toEqual(namesOf(readme));
    expect(await blobs.missing('ada', namesOf(main, readme, empty))).toEqual({
      unknown: namesOf(readme),
      nonindexed: namesOf(main, empty),
    });
  });

  test('a sweep takes nothing that is being put meanwhile', async () => {
    const store = await openContextStore(engine);
    const blobs = new BlobStore(store);
    const many = Array.from({ length: 60 }, (_, number) => blobOf(`src/${number}.ts`));
    for (let round = 0; round < 5; round++) {
      await blobs.put('ada', many);
      await blobs.remove('ada', namesOf(...many));
      await Promise.all([blobs.sweep(), blobs.put('bob', many), blobs.sweep()]);
      expect((await blobs.contents(namesOf(...many))).size).toBe(60);
      await blobs.remove('bob', namesOf(...many));
    }
  });
});
