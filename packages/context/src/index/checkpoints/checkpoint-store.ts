import { hash } from 'node:crypto';
import type { Store } from '@dragoman/server';
import type { Kysely } from 'kysely';
import type { BlobView } from '../../blob-view.ts';
import { type BlobStore, isBlobName } from '../blobs/blob-store.ts';
import type { BlobTables } from '../blobs/blob-tables.ts';
import { nameList } from '../blobs/name-list.ts';
import { digestOfSet, packNames, unpackNames } from './packed-names.ts';
import { RecentlyUsed } from './recently-used.ts';

/** A set of blobs as clients name one: what was agreed on before, and what has changed since. */
export interface BlobSet {
  checkpointId?: string | null | undefined;
  added: readonly string[];
  deleted: readonly string[];
}

export interface ResolvedBlobSet {
  /** The blobs of the set that the user uploaded. */
  view: BlobView;
  /** How many of the set are not among them. */
  unownedCount: number;
  /** False when an id was given that this user never got, or got too long ago. */
  isCheckpointKnown: boolean;
}

interface Checkpoint {
  names: ReadonlySet<string>;
  /** Its own id, then its parents'. */
  chain: readonly string[];
  changed: number;
  touchedOn: number;
}

interface View {
  names: ReadonlySet<string>;
  view: BlobView;
  unowned: readonly string[];
  stamp: string;
}

interface OwnedNames {
  names: Set<string>;
  stamp: string;
}

const DAY_MS = 86_400_000;
const UNUSED_DAYS = 30;
/** A chain is read as a whole, so it stays this short, and no longer to read than the whole set would be. */
const MAX_DEPTH = 64;
/** Names in memory, over all sets: the sets of a large workspace share their texts. */
const MAX_CACHED_NAMES = 500_000;
/** What was owned is believed for this long: another process may have taken it. */
const BELIEVE_MS = 600_000;
const NOTHING: ReadonlySet<string> = new Set();

/**
 * Named sets of blobs, per user.
 *
 * A checkpoint is kept as the change from the one it was made from, and now and then as a whole. Its id is a digest of
 * the set: a client that starts anew with the same files, or repeats a call, gets the id it had and nothing is written.
 * Sets may name blobs that are uploaded later; which of them the user owns is looked at when the set is used.
 */
export class CheckpointStore {
  readonly #engine: Store['engine'];
  readonly #db: Kysely<BlobTables>;
  readonly #blobs: BlobStore;
  readonly #now: () => number;
  readonly #checkpoints = new RecentlyUsed<Checkpoint>(MAX_CACHED_NAMES, ({ names }) => names.size + 1);
  readonly #views = new RecentlyUsed<View>(MAX_CACHED_NAMES, ({ names }) => names.size + 1);
  readonly #owned = new RecentlyUsed<OwnedNames>(MAX_CACHED_NAMES, ({ names }) => names.size + 1);

  constructor(store: Pick<Store, 'engine' | 'tables'>, blobs: BlobStore, options: { now?: () => number } = {}) {
    this.#engine = store.engine;
    this.#db = store.tables<BlobTables>();
    this.#blobs = blobs;
    this.#now = options.now ?? Date.now;
  }

  /** The id of the set that results. An id that is not known counts as the empty set. */
  async checkpoint(userId: string, set: BlobSet): Promise<string> {
    const base = await this.#load(userId, set.checkpointId);
    const names = change(base?.names ?? NOTHING, set);
    const id = `cp_${hash('sha256', `${userId}\0${digestOfSet(names)}`)}`;
    const today = this.#today();
    const { numUpdatedRows } = await this.#db
      .updateTable('context_checkpoints')
      .set({ made_at: this.#now() })
      .where('id', '=', id)
      .executeTakeFirst();
    if (numUpdatedRows > 0n && (await this.#load(userId, id)) !== undefined) return id;

    const row = toRow(names, base, set);
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('context_checkpoints')
      .values({ id, user_id: userId, made_at: this.#now(), used_at: today, ...row })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 0n) {
      const chain = row.parent === null ? [id] : [id, ...base!.chain];
      this.#checkpoints.set(cacheKey(userId, id), { names, chain, changed: row.changed, touchedOn: today });
      return id;
    }
    // One that is there has lost a parent, or was made at this moment: as a whole it is right for all that stand on it.
    await this.#db
      .updateTable('context_checkpoints')
      .set({ ...toRow(names, undefined, set), made_at: this.#now(), used_at: today })
      .where('id', '=', id)
      .execute();
    return id;
  }

  /** What a question about this set may be answered from. */
  async resolve(userId: string, set: BlobSet): Promise<ResolvedBlobSet> {
    const base = await this.#load(userId, set.checkpointId);
    const isChanged = set.added.length > 0 || set.deleted.length > 0;
    const names = isChanged ? change(base?.names ?? NOTHING, set) : (base?.names ?? NOTHING);
    const key = cacheKey(userId, base?.chain[0] ?? '', isChanged ? digestOfChange(set) : '');
    const { view, unowned } = await this.#look(userId, key, names);
    return { view, unownedCount: unowned.length, isCheckpointKnown: !set.checkpointId || base !== undefined };
  }

  /** The set of the checkpoint that the user made last. */
  async newest(userId: string): Promise<ResolvedBlobSet | undefined> {
    const row = await this.#db
      .selectFrom('context_checkpoints')
      .where('user_id', '=', userId)
      .orderBy('made_at', 'desc')
      .orderBy('id')
      .select('id')
      .limit(1)
      .executeTakeFirst();
    return row && this.resolve(userId, { checkpointId: row.id, added: [], deleted: [] });
  }

  /** Forgets checkpoints that were not used for long. Clients that still have their ids start from nothing. */
  async sweep({ unusedDays = UNUSED_DAYS }: { unusedDays?: number } = {}): Promise<number> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('context_checkpoints')
      .where('used_at', '<', this.#today() - unusedDays)
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  async #load(userId: string, id: string | null | undefined): Promise<Checkpoint | undefined> {
    if (id === null || id === undefined || !CHECKPOINT_ID.test(id)) return undefined;
    const key = cacheKey(userId, id);
    const today = this.#today();
    const kept = this.#checkpoints.get(key);
    if (kept !== undefined && kept.touchedOn >= today) return kept;
    const read = await this.#read(userId, id);
    if (read === undefined) {
      this.#checkpoints.delete(key);
      return undefined;
    }
    if (read.touchedOn < today) {
      read.touchedOn = today;
      await this.#db
        .updateTable('context_checkpoints')
        .set({ used_at: today })
        .where('id', 'in', nameList(this.#engine, read.chain))
        .where('used_at', '<', today)
        .execute();
    }
    this.#checkpoints.set(key, read);
    return read;
  }

  async #read(userId: string, id: string): Promise<Checkpoint | undefined> {
    const rows = await this.#db
      .withRecursive('chain', (db) =>
        db
          .selectFrom('context_checkpoints')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .select(['id', 'parent', 'depth', 'changed', 'added', 'deleted', 'used_at'])
          .unionAll(
            db
              .selectFrom('context_checkpoints as parent')
              .innerJoin('chain', 'chain.parent', 'parent.id')
              .whereRef('parent.depth', '<', 'chain.depth') // There is an end, whatever stands in the rows.
              .select([
                'parent.id',
                'parent.parent',
                'parent.depth',
                'parent.changed',
                'parent.added',
                'parent.deleted',
                'parent.used_at',
              ]),
          ),
      )
      .selectFrom('chain')
      .selectAll()
      .execute();
    rows.sort((one, other) => other.depth - one.depth);
    if (rows.at(-1)?.parent !== null) return undefined;
    const names = new Set<string>();
    for (const row of rows.toReversed()) {
      for (const name of unpackNames(row.deleted)) names.delete(name);
      for (const name of unpackNames(row.added)) names.add(name);
    }
    return {
      names: new Set([...names].sort()),
      chain: rows.map((row) => row.id),
      changed: rows[0]!.changed,
      touchedOn: Math.min(...rows.map((row) => row.used_at)),
    };
  }

  /** The part of a set that the user owns. Blobs that were missing may have come since. */
  async #look(userId: string, key: string, names: ReadonlySet<string>): Promise<View> {
    const stamp = `${this.#blobs.removals} ${Math.floor(this.#now() / BELIEVE_MS)}`;
    const kept = this.#views.get(key);
    let view = kept?.stamp === stamp ? kept : undefined;
    if (view === undefined || view.unowned.length > 0) {
      const unowned = await this.#unowned(userId, view?.unowned ?? [...names], stamp);
      if (view === undefined || unowned.length < view.unowned.length) view = toView(names, unowned, stamp);
    }
    this.#views.set(key, view);
    return view;
  }

  /** Those of the names that the user has not uploaded. What is known to be owned is not asked, and not touched, again. */
  async #unowned(userId: string, names: readonly string[], stamp: string): Promise<string[]> {
    const kept = this.#owned.get(userId);
    const owned = kept?.stamp === stamp ? kept : { names: new Set<string>(), stamp };
    const asked = names.filter((name) => !owned.names.has(name));
    for (const name of await this.#blobs.owned(userId, asked)) owned.names.add(name);
    this.#owned.set(userId, owned);
    return asked.filter((name) => !owned.names.has(name));
  }

  #today(): number {
    return Math.floor(this.#now() / DAY_MS);
  }
}

const CHECKPOINT_ID = /^cp_[0-9a-f]{64}$/;

/** The set after a change, in order. A name that is both deleted and added is in it. */
function change(base: ReadonlySet<string>, { added, deleted }: BlobSet): ReadonlySet<string> {
  const names = new Set(base);
  for (const name of deleted) names.delete(name);
  for (const name of added) if (isBlobName(name)) names.add(name);
  return new Set([...names].sort());
}

/** What changed from the base, or the whole set where that is as good. */
function toRow(names: ReadonlySet<string>, base: Checkpoint | undefined, set: BlobSet) {
  if (base !== undefined) {
    const added = new Set(set.added.filter((name) => names.has(name) && !base.names.has(name)));
    const deleted = new Set(set.deleted.filter((name) => !names.has(name) && base.names.has(name)));
    const changed = base.changed + added.size + deleted.size;
    if (base.chain.length < MAX_DEPTH && changed <= names.size)
      return {
        parent: base.chain[0]!,
        depth: base.chain.length,
        changed,
        added: packNames(added),
        deleted: packNames(deleted),
      };
  }
  return { parent: null, depth: 0, changed: 0, added: packNames(names), deleted: packNames([]) };
}

function toView(names: ReadonlySet<string>, unowned: readonly string[], stamp: string): View {
  const missing = new Set(unowned);
  const blobNames = unowned.length === 0 ? names : new Set([...names].filter((name) => !missing.has(name)));
  return { names, view: { key: digestOfSet(blobNames), blobNames }, unowned, stamp };
}

function digestOfChange({ added, deleted }: BlobSet): string {
  return hash('sha256', JSON.stringify([added, deleted]));
}

function cacheKey(...parts: string[]): string {
  return parts.join('\0');
}
