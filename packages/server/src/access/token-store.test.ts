import { freshLocation, STORE_ENGINES } from '@dragoman/testkit';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../store/open-store.ts';
import { type AccessTables, accessMigrations } from './access-tables.ts';
import type { Caller } from './caller.ts';
import { type NewToken, TokenStore } from './token-store.ts';

describe.each(STORE_ENGINES)('on %s', (engine) => {
  /** A store whose clock the test moves. */
  async function openTokens() {
    const store = await openStore(await freshLocation(engine, [accessMigrations]), { rooms: [accessMigrations] });
    onTestFinished(() => store.close());
    const clock = { now: Date.parse('2026-03-01T12:00:00Z') };
    const db = store.tables<AccessTables>();
    const tokens = new TokenStore(db, () => clock.now);
    const owner = await tokens.openUser('owner', 'admin');
    const create = (name: string, options: Partial<Pick<NewToken, 'role' | 'expiresAt' | 'models' | 'madeBy'>> = {}) =>
      tokens.createToken({
        user: owner,
        name,
        role: 'member',
        expiresAt: null,
        ...options,
      });
    return { tokens, db, clock, owner, create };
  }

  test('a token tells who its holder is and what they may do', async () => {
    const { tokens, owner, create } = await openTokens();
    const { id, text } = await create('laptop');

    expect(text).toMatch(/^DGM_[A-Z2-7]{40}$/);
    expect(await tokens.verify(text)).toEqual({
      userId: owner.id,
      userName: 'owner',
      role: 'member',
      tokenName: 'laptop',
      tokenId: id,
    });
  });

  test('a token may be limited to some models, and so is whatever it makes', async () => {
    const { tokens, owner, create } = await openTokens();
    const { id, text } = await create('lead', { models: ['cheap', 'openai/*'] });
    const modelsOf = async ({ text: made }: { text: string }) => ((await tokens.verify(made)) as Caller).models;
    expect(await tokens.verify(text)).toEqual({
      userId: owner.id,
      userName: 'owner',
      role: 'member',
      tokenName: 'lead',
      tokenId: id,
      models: ['cheap', 'openai/*'],
    });

    expect(await modelsOf(await create('same', { madeBy: id }))).toEqual(['cheap', 'openai/*']);
    expect(await modelsOf(await create('less', { madeBy: id, models: ['openai/gpt-5'] }))).toEqual(['openai/gpt-5']);
    for (const models of [['*'], ['dear'], ['cheap', 'open*'], ['cheap*']])
      await expect(create('more', { madeBy: id, models })).rejects.toMatchObject({
        code: 'forbidden',
        message: `models: this token cannot use ${JSON.stringify(models.at(-1))}, so it cannot create a token that can. It can use: cheap, openai/*.`,
      });

    const code = await tokens.createLoginCode(owner.id, 60_000, id);
    const login = await tokens.redeemLoginCode(code);
    expect(await tokens.verify(login!)).toMatchObject({ role: 'admin', models: ['cheap', 'openai/*'] });
    const unlimited = await create('all');
    expect(await modelsOf(unlimited)).toBeUndefined();
    expect((await tokens.list()).map(({ name, models }) => [name, models])).toEqual([
      ['lead', ['cheap', 'openai/*']],
      ['same', ['cheap', 'openai/*']],
      ['less', ['openai/gpt-5']],
      [expect.stringMatching(/^browser /), ['cheap', 'openai/*']],
      ['all', null],
    ]);
  });

  test('a caller is good until their token is revoked or expires, or they may less than when they came', async () => {
    const { tokens, db, clock, owner, create } = await openTokens();
    const callerOf = async ({ text }: { text: string }) => (await tokens.verify(text)) as Caller;
    const lasting = await callerOf(await create('lasting'));
    const revoked = await callerOf(await create('revoked'));
    const expiring = await callerOf(await create('expiring', { expiresAt: clock.now + 1000 }));
    const admin = await callerOf(await create('admin', { role: 'admin' }));
    const given: Caller = { ...admin, tokenName: 'given at start', tokenId: undefined };
    const all = [lasting, revoked, expiring, admin, given];
    expect(await tokens.areGood(all)).toEqual(new Set(all));

    await tokens.revoke('revoked');
    clock.now += 1000;
    await db.updateTable('users').set({ role: 'member' }).where('id', '=', owner.id).execute();

    expect(await tokens.areGood(all)).toEqual(new Set([lasting, given]));
    expect(await tokens.areGood([])).toEqual(new Set());
  });

  test('a token for models is nothing to somebody who may no longer call models', async () => {
    const { tokens, db, create } = await openTokens();
    const ada = await tokens.openUser('ada', 'member');
    const { text } = await tokens.createToken({ user: ada, name: 'ollama', role: 'models', expiresAt: null });
    const caller = (await tokens.verify(text)) as Caller;
    expect(caller).toMatchObject({ userName: 'ada', role: 'models' });

    await db.updateTable('users').set({ role: 'viewer' }).where('id', '=', ada.id).execute();

    expect(await tokens.verify(text)).toEqual({
      reason: 'powerless',
      message: 'The token "ollama" can only call models, and ada now has the role viewer, which cannot.',
    });
    expect(await tokens.areGood([caller])).toEqual(new Set());
    const viewer = { ...ada, role: 'viewer' as const };
    await expect(
      tokens.createToken({ user: viewer, name: 'x', role: 'models', expiresAt: null }),
    ).rejects.toMatchObject({
      code: 'forbidden',
      message: 'ada has the role viewer, so their tokens cannot have the role models.',
    });
    expect(await tokens.verify((await create('other', { role: 'models' })).text)).toMatchObject({ role: 'models' });
  });

  test('nothing in the database gives the token away', async () => {
    const { db, create } = await openTokens();
    const { text } = await create('laptop');

    const rows = await db.selectFrom('tokens').selectAll().execute();

    expect(
      JSON.stringify(rows.map((row) => ({ ...row, hash: Buffer.from(row.hash).toString('latin1') }))),
    ).not.toContain(text.slice(12));
  });

  test('a wrong token, a token with one letter changed and no token at all are unknown', async () => {
    const { tokens, create } = await openTokens();
    const { text } = await create('laptop');
    const changed = text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A');

    for (const wrong of [changed, text.toLowerCase(), `${text}A`, 'DGM_', ''])
      expect(await tokens.verify(wrong)).toMatchObject({ reason: 'unknown' });
  });

  test('an expired token says so, from its last moment on', async () => {
    const { tokens, clock, create } = await openTokens();
    const { text } = await create('guest', { expiresAt: clock.now + 1000 });

    clock.now += 999;
    expect(await tokens.verify(text)).toMatchObject({ tokenName: 'guest' });
    clock.now += 1;
    expect(await tokens.verify(text)).toEqual({
      reason: 'expired',
      message: 'The token "guest" expired on 2026-03-01.',
    });
  });

  test('a revoked token is dead at once, also for another process', async () => {
    const { tokens, db, clock, create } = await openTokens();
    const { text } = await create('lost');
    await tokens.verify(text);

    await new TokenStore(db, () => clock.now).revoke('lost');

    expect(await tokens.verify(text)).toEqual({
      reason: 'revoked',
      message: 'The token "lost" was revoked on 2026-03-01.',
    });
  });

  test('revoking needs one live token: a name that two have, or none, is refused', async () => {
    const { tokens, create } = await openTokens();
    const [one, other] = [await create('twin'), await create('twin')];

    await expect(tokens.revoke('twin')).rejects.toThrow(
      `2 tokens are named "twin". Revoke one by its ID: ${one.id}, ${other.id}`,
    );
    await tokens.revoke(one.id);
    await expect(tokens.revoke(one.id)).rejects.toThrow(
      `There is no active token with the ID or name "${one.id}". See: dragoman token list`,
    );
    expect((await tokens.revoke('twin')).id).toBe(other.id);
  });

  test('a token never allows more than its user may', async () => {
    const { tokens, db } = await openTokens();
    const user = await tokens.openUser('ann', 'member');

    await expect(tokens.createToken({ user, name: 'x', role: 'admin', expiresAt: null })).rejects.toThrow(
      'ann has the role member, so their tokens cannot have the role admin.',
    );

    const { text } = await tokens.createToken({ user, name: 'y', role: 'member', expiresAt: null });
    await db.updateTable('users').set({ role: 'viewer' }).where('id', '=', user.id).execute();
    expect(await tokens.verify(text)).toMatchObject({ role: 'viewer' });
  });

  test('a name is one line of at most a hundred characters', async () => {
    const { tokens, create } = await openTokens();

    for (const name of ['', ' ', 'two\nlines', '\u001b[31mred', 'x'.repeat(101)]) {
      await expect(create(name)).rejects.toThrow("A token's name must be 1 to 100 characters on one line");
      await expect(tokens.openUser(name, 'member')).rejects.toThrow(
        "A user's name must be 1 to 100 characters on one line",
      );
    }
    await expect(create('手机 📱')).resolves.toBeDefined();
  });

  test('the last use is kept to the minute', async () => {
    const { tokens, clock, create } = await openTokens();
    const { text } = await create('laptop');
    const lastUsed = async () => (await tokens.list())[0]!.lastUsedAt;
    const start = clock.now;

    expect(await lastUsed()).toBe(null);
    await tokens.verify(text);
    clock.now += 59_999;
    await tokens.verify(text);
    await expect.poll(lastUsed).toBe(start);
    clock.now += 1;
    await tokens.verify(text);
    await expect.poll(lastUsed).toBe(start + 60_000);
  });

  test('a login code works once and for its time', async () => {
    const { tokens, clock, owner } = await openTokens();
    const [code, late] = [await tokens.createLoginCode(owner.id, 1000), await tokens.createLoginCode(owner.id, 1000)];

    const login = await tokens.redeemLoginCode(code);
    expect(await tokens.verify(login!)).toMatchObject({
      userName: 'owner',
      role: 'admin',
      tokenName: 'browser 2026-03-01',
    });
    expect(await tokens.redeemLoginCode(code)).toBe(undefined);
    expect(await tokens.redeemLoginCode('GUESSED')).toBe(undefined);
    clock.now += 1000;
    expect(await tokens.redeemLoginCode(late)).toBe(undefined);
  });

  test('of many that use one login code at once, one gets in', async () => {
    const { tokens, owner } = await openTokens();
    const code = await tokens.createLoginCode(owner.id, 1000);

    const logins = await Promise.all(Array.from({ length: 10 }, () => tokens.redeemLoginCode(code)));

    expect(logins.filter((login) => login !== undefined)).toHaveLength(1);
  });

  test('whether a live token exists does not count expired and revoked ones', async () => {
    const { tokens, clock, create } = await openTokens();

    expect(await tokens.hasLiveToken()).toBe(false);
    await create('a', { expiresAt: clock.now + 1000 });
    expect(await tokens.hasLiveToken()).toBe(true);
    clock.now += 1000;
    expect(await tokens.hasLiveToken()).toBe(false);
    await create('b');
    expect(await tokens.hasLiveToken()).toBe(true);
    await tokens.revoke('b');
    expect(await tokens.hasLiveToken()).toBe(false);
  });

  test('a user that two processes make at once is one user', async () => {
    const { tokens } = await openTokens();

    const users = await Promise.all(Array.from({ length: 10 }, () => tokens.openUser('ann', 'member')));

    expect(new Set(users.map((user) => user.id)).size).toBe(1);
    expect(users.filter((user) => user.isNew)).toHaveLength(1);
  });
});

test('a token lets its holder in though its last use cannot be written down, and why is told', async () => {
  const store = await openStore(await freshLocation('sqlite', [accessMigrations]), { rooms: [accessMigrations] });
  onTestFinished(() => store.close());
  const unnoted: unknown[] = [];
  const tokens = new TokenStore(store.tables<AccessTables>(), Date.now, (error) => unnoted.push(error));
  const user = await tokens.openUser('owner', 'admin');
  const { id, text } = await tokens.createToken({ user, name: 'laptop', role: 'member', expiresAt: null });
  await sql`pragma query_only = on`.execute(store.tables());

  expect(await tokens.verify(text)).toMatchObject({ tokenId: id });

  await expect.poll(() => unnoted).toMatchObject([{ code: 'database-unreachable' }]);
});
