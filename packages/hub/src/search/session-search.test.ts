import { accessMigrations, backupStore, restoreStore } from '@dragoman/server/base';
import { freshLocation, rounds, STORE_ENGINES, tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hubMigrations } from '../hub-migrations.ts';
import type { HubTables } from '../hub-tables.ts';
import { at, delta, start, stop, testInfo, testLog, testSession } from '../log/session-log.fixture.ts';
import type { SearchTables } from './search-tables.ts';
import { SessionSearch } from './session-search.ts';

describe.each(STORE_ENGINES)('on %s', (engine) => {
  async function open(location?: Parameters<typeof testLog>[0]) {
    const parts = await testLog(location ?? engine);
    const search = new SessionSearch({ store: parts.store, log: parts.logger });
    onTestFinished(() => search.close());
    /** What is found, with the marked words in brackets. */
    const find = async (q: string, sessionId?: string) =>
      (await search.find({ q, sessionId })).map(({ excerpt, marks }) => {
        let marked = excerpt;
        for (const [from, to] of marks.toReversed())
          marked = `${marked.slice(0, from)}[${marked.slice(from, to)}]${marked.slice(to)}`;
        return marked;
      });
    return { ...parts, search, find };
  }

  test('everything that is said can be found: titles, prompts, text, thinking, calls and results', async () => {
    const { log, search, find } = await open();
    const id = await testSession(log, { title: 'Zebra crossing' });
    const prompt = {
      id: 'p',
      content: [{ type: 'text' as const, text: 'Paint the walrus' }],
      delivery: 'queue' as const,
    };
    await log.append(id, at(1000, { type: 'prompt-queued', prompt: { ...prompt, by: testInfo().by } }));
    await log.append(
      id,
      at(
        2000,
        stop('a', 'An ocelot sat.'),
        stop('b', { type: 'thinking', thinking: 'Maybe a lynx?' }),
        stop('c', { type: 'tool_use', id: 'c', name: 'read_file', input: { path: 'src/badger.ts', lines: [1, 2] } }),
        stop('d', { type: 'tool_result', tool_use_id: 'c', content: 'export const heron = 1;' }),
      ),
    );

    expect(await search.find({ q: 'walrus' })).toEqual([
      {
        sessionId: id,
        sessionTitle: 'Zebra crossing',
        seq: 2,
        role: 'user',
        kind: 'text',
        at: 1000,
        excerpt: 'Paint the walrus',
        marks: [[10, 16]],
      },
    ]);
    expect(await find('zebra')).toEqual(['[Zebra] crossing']);
    expect(await find('OCELOT')).toEqual(['An [ocelot] sat.']);
    expect(await find('lynx')).toEqual(['Maybe a [lynx]?']);
    expect(await find('badger.ts')).toEqual(['read_file src/[badger.ts] 1 2']);
    expect(await find('read_file')).toEqual(['[read_file] src/badger.ts 1 2']);
    expect(await find('heron')).toEqual(['export const [heron] = 1;']);
    expect(await find('unicorn')).toEqual([]);
  });

  test('any run of Chinese characters is found as a phrase, alone and with words beside it', async () => {
    const { log, find } = await open();
    const id = await testSession(log);
    await log.append(id, at(1000, stop('a', '用户登录失败，token 已过期'), stop('b', '登上山，录音 token')));

    expect(await find('登录')).toEqual(['用户[登录]失败，token 已过期']);
    expect(await find('登录失败')).toEqual(['用户[登录失败]，token 已过期']);
    expect(await find('登录 token')).toEqual(['用户[登录]失败，[token] 已过期']);
    expect(await find('token已过期')).toEqual(['用户登录失败，[token 已过期]']);
    expect(await find('录 tok')).toHaveLength(2);
    expect(await find('失登')).toEqual([]);
  });

  test('words are found by their beginning, all of them must be there, and quotes keep them together', async () => {
    const { log, find } = await open();
    const id = await testSession(log);
    await log.append(
      id,
      at(1000, stop('a', 'The cache is stale'), stop('b', 'A stale, old cache'), stop('c', 'Crème brûlée, STRASSE')),
    );

    expect(await find('cac')).toEqual(['A stale, old [cache]', 'The [cache] is stale']);
    expect(await find('stale cache')).toHaveLength(2);
    expect(await find('"old cache"')).toEqual(['A stale, [old cache]']);
    expect(await find('"old cac"')).toEqual([]);
    expect(await find('cache missing')).toEqual([]);
    expect(await find('creme brulee strasse')).toEqual(['[Crème] [brûlée], [STRASSE]']);
  });

  test('whole words come before beginnings, what was said before what a tool printed, and then the latest', async () => {
    const { log, find } = await open();
    const id = await testSession(log);
    const printed = { type: 'tool_result', tool_use_id: 'c', content: 'log' } as const;
    await log.append(
      id,
      at(1000, stop('a', 'log one'), stop('b', printed), stop('c', 'logarithm'), stop('d', 'log two')),
    );

    expect(await find('log')).toEqual(['[log] two', '[log] one', '[logarithm]', '[log]']);
  });

  test('only one session is searched where one is named, and a removed one is found no more', async () => {
    const { log, store, find } = await open();
    const [one, other] = [await testSession(log), await testSession(log)];
    await log.append(one, at(1000, stop('a', 'heron one')));
    await log.append(other, at(1000, stop('a', 'heron two')));

    expect(await find('heron', one)).toEqual(['[heron] one']);
    expect(await find('heron')).toHaveLength(2);
    await store.tables<HubTables>().deleteFrom('hub_sessions').where('id', '=', one).execute();

    expect(await find('heron')).toEqual(['[heron] two']);
  });

  test('what was said differently later is found as it is now', async () => {
    const { log, find } = await open();
    const id = await testSession(log, { title: 'Old name' });
    await log.append(id, at(1000, stop('a', 'the first heron')));
    expect(await find('heron')).toEqual(['the first [heron]']);

    await log.append(id, at(2000, stop('a', 'an otter now')));
    await log.append(id, at(3000, { type: 'session-updated', title: 'New name', by: testInfo().by }));

    expect(await find('heron')).toEqual([]);
    expect(await find('otter')).toEqual(['an [otter] now']);
    expect(await find('old')).toEqual([]);
    expect(await find('name')).toEqual(['New [name]']);
  });

  test('what a turn left open is found once the turn is over', async () => {
    const { log, find } = await open();
    const id = await testSession(log);
    await log.append(id, at(1000, start('a')));
    await log.append(id, at(2000, delta('a', 'half a heron'), stop('b', 'otter')));
    expect(await find('otter')).toHaveLength(1);
    expect(await find('heron')).toEqual([]);

    await log.append(id, at(3000, { type: 'turn-finished', turnId: 't', reason: 'interrupted' }));

    expect(await find('heron')).toEqual(['half a [heron]']);
    expect(await find('otter')).toHaveLength(1);
  });

  test('what is found is shown as words, without the signs of Markdown, unless they are what was looked for', async () => {
    const { log, search } = await open();
    const id = await testSession(log);
    await log.append(
      id,
      at(1000, stop('a', 'It is *translated* by the **heron**. See [the docs](https://example.com/otter).')),
    );

    const [byWord] = await search.find({ q: 'heron' });
    expect(byWord!.excerpt).toBe('It is translated by the heron. See the docs.');
    expect(byWord!.marks.map(([from, to]) => byWord!.excerpt.slice(from, to))).toEqual(['heron']);
    const [byAddress] = await search.find({ q: 'otter' });
    expect(byAddress!.excerpt).toContain('(https://example.com/otter)');
  });

  test('a long text is found at its end too, as one hit with the words around it', async () => {
    const { log, search } = await open();
    const id = await testSession(log);
    const text = `${'lorem ipsum '.repeat(20_000)}the heron\nsleeps. ${'dolor sit '.repeat(2000)}`;
    await log.append(id, at(1000, stop('a', text)));

    const [hit, ...others] = await search.find({ q: 'heron sleeps' });

    expect(others).toEqual([]);
    expect(hit!.excerpt).toMatch(/^….*lorem ipsum the heron sleeps\. dolor sit .*…$/);
    expect(hit!.excerpt.length).toBeLessThan(300);
    expect(hit!.marks.map(([from, to]) => hit!.excerpt.slice(from, to))).toEqual(['heron', 'sleeps']);
    expect(await search.find({ q: 'lorem' })).toHaveLength(1);
  });

  test('any text can be asked for, and any text can be said', async () => {
    const { log, search } = await open();
    const id = await testSession(log);
    const odd = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom(
          '"',
          "'",
          '*',
          '(',
          ')',
          ':',
          '&',
          '|',
          '!',
          '<->',
          ' ',
          'a',
          'NEAR',
          'AND',
          '登',
          '\0',
          '-',
          '^',
        ),
      }),
    );
    let block = 0;
    const property = fc.asyncProperty(odd, odd, async (said, asked) => {
      await log.append(id, at(1, stop(`${block++}`, said)));
      const hits = await search.find({ q: asked, limit: 5 });
      for (const { excerpt, marks } of hits)
        for (const [from, to] of marks) expect(from >= 0 && from < to && to <= excerpt.length).toBe(true);
    });
    await fc.assert(property, { numRuns: rounds(3000), seed: 3 });
  });

  test('every run of words that was said is found again', async () => {
    const { log, search } = await open();
    const id = await testSession(log);
    const word = fc.constantFrom('login', 'Token', '登录', '用户', 'ünïcode', 'x1', '42', 'かな', '한국', 'a_b');
    const property = fc.asyncProperty(
      fc.array(word, { minLength: 2, maxLength: 8 }),
      fc.nat(6),
      async (words, from) => {
        const [event] = await log.append(id, at(1, stop('only', words.join(' '))));
        const asked = words.slice(from % words.length).join(' ');
        const hits = await search.find({ q: asked });
        expect(hits.map(({ seq }) => seq)).toEqual([event!.seq]);
        expect(hits[0]!.marks.length).toBeGreaterThan(0);
      },
    );
    await fc.assert(property, { numRuns: rounds(1500), seed: 5 });
  });

  test('a backup that is restored can be searched, and goes on', async () => {
    const location = await freshLocation(engine);
    const { log, find } = await open(location);
    const id = await testSession(log);
    await log.append(id, at(1000, stop('a', 'a heron')));
    expect(await find('heron')).toHaveLength(1);
    const file = join(tempFolder(), 'backup.sqlite');
    await backupStore(location, [accessMigrations, hubMigrations], file);

    for (const target of STORE_ENGINES) {
      const restored = await freshLocation(target);
      await restoreStore(file, restored, [accessMigrations, hubMigrations]);
      const copy = await open(restored);
      expect(await copy.find('heron')).toEqual(['a [heron]']);
      await copy.log.append(id, at(2000, stop('b', 'another heron')));
      expect(await copy.find('heron')).toHaveLength(2);
    }
  });

  test('a session that cannot be indexed does not stand in the way of the others', async () => {
    const { log, store, find, logger } = await open();
    const [broken, whole] = [await testSession(log), await testSession(log)];
    await log.append(broken, at(1000, stop('a', 'lost heron')));
    await store.tables<HubTables>().updateTable('hub_events').set({ event: 'no json' }).where('seq', '=', 2).execute();
    await log.append(whole, at(1000, stop('a', 'a heron')));

    expect(await find('heron')).toEqual(['a [heron]']);
    expect(logger.warnings.map(({ message }) => message)).toEqual(['a session could not be made findable']);
  });
});

test('what another server is at is left to it, and is found all the same by a question, which waits for it', async () => {
  const location = await freshLocation('postgres');
  const { log, store, logger } = await testLog(location);
  const search = new SessionSearch({ store, log: logger });
  onTestFinished(() => search.close());
  const [busy, free] = [await testSession(log, { title: 'busy' }), await testSession(log, { title: 'free' })];
  const db = store.tables<HubTables & SearchTables>();
  const indexed = async () => {
    const rows = await db.selectFrom('hub_sessions').select(['id', 'indexed_seq']).execute();
    return rows.filter(({ indexed_seq }) => indexed_seq > 0).map(({ id }) => id);
  };
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const other = db.transaction().execute(async (transaction) => {
    await transaction.selectFrom('hub_sessions').select('id').where('id', '=', busy).forUpdate().execute();
    locked.resolve();
    await release.promise;
  });
  await locked.promise;

  await search.index(Infinity, false);
  expect(await indexed()).toEqual([free]);
  const found = search.find({ q: 'busy' });
  release.resolve();
  await other;

  expect((await found).map(({ sessionId }) => sessionId)).toEqual([busy]);
});
