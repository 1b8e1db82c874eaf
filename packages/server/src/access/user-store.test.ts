import { freshLocation, STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../store/open-store.ts';
import { type AccessTables, accessMigrations } from './access-tables.ts';
import type { Caller } from './caller.ts';
import { TokenStore } from './token-store.ts';
import { UserStore } from './user-store.ts';

describe.each(STORE_ENGINES)('on %s', (engine) => {
  /** People with a clock of the test's own, and the owner as a start makes them. */
  async function openUsers() {
    const store = await openStore(await freshLocation(engine, [accessMigrations]), { rooms: [accessMigrations] });
    onTestFinished(() => store.close());
    const clock = { now: 1_000 };
    const db = store.tables<AccessTables>();
    const tokens = new TokenStore(db, () => clock.now);
    const users = new UserStore(db, engine, () => clock.now);
    const owner = await tokens.openUser('owner', 'admin');
    return { users, tokens, db, clock, owner };
  }

  test('people are listed in the order they came, with when they were last seen', async () => {
    const { users, tokens, clock, owner } = await openUsers();
    clock.now = 2_000;
    const ann = await users.create('ann', 'member');
    for (const name of ['laptop', 'phone'])
      await tokens.createToken({ user: ann, name, role: 'member', expiresAt: null });
    const { text } = await tokens.createToken({
      user: ann,
      name: 'x',
      role: 'member',

      expiresAt: null,
    });
    clock.now = 500_000;
    await tokens.verify(text);

    expect(await users.list()).toEqual([
      { id: owner.id, name: 'owner', role: 'admin', createdAt: 1_000, lastSeenAt: null },
      { id: ann.id, name: 'ann', role: 'member', createdAt: 2_000, lastSeenAt: 500_000 },
    ]);
  });

  test('a name is one person’s', async () => {
    const { users } = await openUsers();
    const ann = await users.create('ann', 'member');
    await users.create('bob', 'member');

    await expect(users.create('ann', 'viewer')).rejects.toThrow('There is already a user named "ann".');
    await expect(users.update(ann.id, { name: 'bob' })).rejects.toThrow('There is already a user named "bob".');
    for (const name of ['two\nlines', '\u200b', '\u202eadmin', 'lone \ud800'])
      await expect(users.create(name, 'viewer')).rejects.toThrow("A user's name must be 1 to 100 characters");
    expect(await users.create('نیلوفر\u200cها 👩‍💻', 'viewer')).toMatchObject({ role: 'viewer' });
    expect(await users.update(ann.id, { name: 'anna' })).toMatchObject({ name: 'anna', role: 'member' });
  });

  test('a role that changes changes what every token may do, at the next call', async () => {
    const { users, tokens } = await openUsers();
    const ann = await users.create('ann', 'admin');
    const { text } = await tokens.createToken({ user: ann, name: 'x', role: 'admin', expiresAt: null });

    await users.update(ann.id, { role: 'viewer' });
    expect(await tokens.verify(text)).toMatchObject({ role: 'viewer' });
    expect((await tokens.listLive(ann.id)).map(({ role }) => role)).toEqual(['viewer']);
    await users.update(ann.id, { role: 'member' });
    expect(await tokens.verify(text)).toMatchObject({ role: 'member' });
  });

  test('a name that two want at the same moment is given to one of them, and the other is told', async () => {
    const { users } = await openUsers();
    for (let round = 0; round < 10; round += 1) {
      const ann = await users.create(`ann ${round}`, 'member');
      const outcomes = await Promise.allSettled([
        users.update(ann.id, { name: `cy ${round}` }),
        users.create(`cy ${round}`, 'viewer'),
      ]);
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
      expect(refused.map(({ message }) => message)).toEqual([`There is already a user named "cy ${round}".`]);
    }
  });

  test('the owner keeps name and role and cannot be removed', async () => {
    const { users, owner } = await openUsers();
    await users.create('ann', 'admin');

    for (const change of [{ role: 'member' }, { name: 'ada' }] as const)
      await expect(users.update(owner.id, change)).rejects.toThrow(
        'owner is the person who runs this server and keeps their name and role.',
      );
    await expect(users.remove(owner.id)).rejects.toThrow(
      'owner is the person who runs this server and cannot be removed.',
    );
    expect(await users.update(owner.id, { name: 'owner', role: 'admin' })).toMatchObject({ name: 'owner' });
  });

  test('the last admin stays one, also when two step down at once', async () => {
    const { users, db, owner } = await openUsers();
    const [ann, bob] = [await users.create('ann', 'admin'), await users.create('bob', 'admin')];
    await db.deleteFrom('users').where('id', '=', owner.id).execute(); // As in a database that was put together by hand.

    const outcomes = await Promise.allSettled([ann, bob].map(({ id }) => users.update(id, { role: 'member' })));

    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const admins = (await users.list()).filter(({ role }) => role === 'admin');
    expect(admins).toHaveLength(1);
    await expect(users.remove(admins[0]!.id)).rejects.toThrow(
      `${admins[0]!.name} is the last admin. Make someone else an admin first.`,
    );
  });

  test('who is removed gets in no more: not with a token, a browser or a login link that waits', async () => {
    const { users, tokens } = await openUsers();
    const ann = await users.create('ann', 'member');
    const { text } = await tokens.createToken({
      user: ann,
      name: 'x',
      role: 'member',

      expiresAt: null,
    });
    const browser = await tokens.redeemLoginCode(await tokens.createLoginCode(ann.id));
    const code = await tokens.createLoginCode(ann.id);

    await users.remove(ann.id);

    expect(await tokens.verify(text)).toMatchObject({ reason: 'unknown' });
    expect(await tokens.verify(browser!)).toMatchObject({ reason: 'unknown' });
    expect(await tokens.redeemLoginCode(code)).toBe(undefined);
    await expect(users.remove(ann.id)).rejects.toThrow(`There is no user with the id "${ann.id}".`);
    expect((await users.create('ann', 'viewer')).id).not.toBe(ann.id);
  });

  test.each(['removed', 'made a member'])(
    'when somebody is %s, the logins that their tokens made for others end, and what those made',
    async (how) => {
      const { users, tokens } = await openUsers();
      const [ann, bob] = [await users.create('ann', 'admin'), await users.create('bob', 'admin')];
      const own = await tokens.createToken({ user: ann, name: 'own', role: 'admin', expiresAt: null });
      const next = await tokens.createToken({ user: ann, name: 'x', role: 'admin', expiresAt: null, madeBy: own.id });
      const login = (await tokens.redeemLoginCode(await tokens.createLoginCode(bob.id, 60_000, next.id)))!;
      const caller = (await tokens.verify(login)) as Caller;
      const made = await tokens.createToken({
        user: bob,
        name: 'made',
        role: 'admin',
        expiresAt: null,
        madeBy: (await tokens.makerOf(caller))!.id,
      });
      const waiting = await tokens.createLoginCode(bob.id, 60_000, next.id);
      const theirs = await tokens.createToken({ user: bob, name: 'y', role: 'admin', expiresAt: null });
      expect(await tokens.verify(made.text)).toMatchObject({ userName: 'bob' });

      await (how === 'removed' ? users.remove(ann.id) : users.update(ann.id, { role: 'member' }));

      expect(await tokens.verify(login)).toMatchObject({ reason: 'revoked' });
      expect(await tokens.verify(made.text)).toMatchObject({ reason: 'revoked' });
      expect(await tokens.redeemLoginCode(waiting)).toBe(undefined);
      expect(await tokens.verify(theirs.text)).toMatchObject({ userName: 'bob', role: 'admin' });
    },
  );
});
