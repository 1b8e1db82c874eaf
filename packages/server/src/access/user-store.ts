import { DragomanError, isRoleAtLeast, newId, type Role, type UserId } from '@dragoman/protocol';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { StoreEngine } from '../store/migration.ts';
import type { AccessTables } from './access-tables.ts';
import { checkName } from './check-name.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { OWNER_NAME } from './token-store.ts';

/** A person, and when one of their tokens was last used. */
export interface User {
  id: UserId;
  name: string;
  role: Role;
  createdAt: number;
  lastSeenAt: number | null;
}

/**
 * The people of the server.
 *
 * The owner is the person at the machine, whom the command line finds by name: that name and the role stay, so there is
 * always somebody who can let others in. What somebody did keeps their name when they are gone.
 */
export class UserStore {
  readonly #db: Kysely<AccessTables>;
  readonly #engine: StoreEngine;
  readonly #now: () => number;

  constructor(db: Kysely<AccessTables>, engine: StoreEngine, now: () => number = Date.now) {
    this.#db = db;
    this.#engine = engine;
    this.#now = now;
  }

  /** In the order they came. */
  async list(): Promise<User[]> {
    return selectUsers(this.#db).orderBy('users.created_at').orderBy('users.id').execute();
  }

  async get(id: string): Promise<User> {
    return getUser(this.#db, id);
  }

  async create(name: string, role: Role): Promise<User> {
    checkName('A user', name);
    const id = newId('usr');
    const made = await this.#db
      .insertInto('users')
      .values({ id, name, role, created_at: this.#now() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made === undefined) throw nameTaken(name);
    return this.get(id);
  }

  /**
   * A role that changes here changes what every token of theirs may do, from the next call on. Where it is less, what their
   * tokens let others do ends: who may no longer let people in might hold those logins themselves.
   */
  async update(id: string, { name, role }: { name?: string | undefined; role?: Role | undefined }): Promise<User> {
    if (name !== undefined) checkName('A user', name);
    return this.#db.transaction().execute(async (db) => {
      await this.#lockUsers(db);
      const user = await getUser(db, id);
      const changed = { name: name ?? user.name, role: role ?? user.role };
      if (changed.name === user.name && changed.role === user.role) return user;
      refuseOwner(user, 'keeps their name and role');
      if (changed.name !== user.name) {
        const other = await db.selectFrom('users').select('id').where('name', '=', changed.name).executeTakeFirst();
        if (other !== undefined) throw nameTaken(changed.name);
      }
      if (changed.role !== 'admin') await refuseLastAdmin(db, user);
      await db.updateTable('users').set(changed).where('id', '=', user.id).execute();
      if (!isRoleAtLeast(changed.role, user.role)) await this.#endLogins(db, user.id);
      return { ...user, ...changed };
    });
  }

  /** Takes away everything they get in with, and what their tokens made: tokens, browsers and login links go with the row. */
  async remove(id: string): Promise<User> {
    return this.#db.transaction().execute(async (db) => {
      await this.#lockUsers(db);
      const user = await getUser(db, id);
      refuseOwner(user, 'cannot be removed');
      await refuseLastAdmin(db, user);
      await this.#endLogins(db, user.id);
      await db.deleteFrom('login_codes').where('user_id', '=', user.id).execute();
      await db.deleteFrom('tokens').where('user_id', '=', user.id).execute();
      await db.deleteFrom('users').where('id', '=', user.id).execute();
      return user;
    });
  }

  /** Ends what somebody's tokens made for others. */
  async #endLogins(db: Transaction<AccessTables>, userId: UserId): Promise<void> {
    const own = db.selectFrom('tokens').select('id').where('user_id', '=', userId);
    const made = await db
      .selectFrom('tokens')
      .select('id')
      .where('made_by', 'in', own)
      .where('user_id', '!=', userId)
      .execute();
    await db.deleteFrom('login_codes').where('made_by', 'in', own).where('user_id', '!=', userId).execute();
    await revokeTokens(
      db,
      made.map(({ id }) => id),
      this.#now(),
    );
  }

  /**
   * Two admins who demote each other at once, and two who want one name, wait for each other here. People still get in
   * meanwhile; SQLite has one writer anyway.
   */
  async #lockUsers(db: Transaction<AccessTables>): Promise<void> {
    if (this.#engine === 'sqlite') return;
    await sql`lock table users in share row exclusive mode`.execute(db);
  }
}

function selectUsers(db: Kysely<AccessTables>) {
  return db
    .selectFrom('users')
    .select(['users.id', 'users.name', 'users.role', 'users.created_at as createdAt'])
    .select((select) =>
      select
        .selectFrom('tokens')
        .select((inner) => inner.fn.max('tokens.last_used_at').as('last'))
        .whereRef('tokens.user_id', '=', 'users.id')
        .as('lastSeenAt'),
    );
}

async function getUser(db: Kysely<AccessTables>, id: string): Promise<User> {
  const user = await selectUsers(db)
    .where('users.id', '=', id as UserId)
    .executeTakeFirst();
  if (user === undefined) throw new DragomanError('not-found', `There is no user with the id ${JSON.stringify(id)}.`);
  return user;
}

function refuseOwner({ name }: User, what: string): void {
  if (name === OWNER_NAME)
    throw new DragomanError('conflict', `${OWNER_NAME} is the person who runs this server and ${what}.`);
}

async function refuseLastAdmin(db: Kysely<AccessTables>, user: User): Promise<void> {
  if (user.role !== 'admin') return;
  const other = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('id', '!=', user.id)
    .executeTakeFirst();
  if (other === undefined)
    throw new DragomanError('conflict', `${user.name} is the last admin. Make someone else an admin first.`);
}

function nameTaken(name: string): DragomanError {
  return new DragomanError('conflict', `There is already a user named ${JSON.stringify(name)}.`);
}
