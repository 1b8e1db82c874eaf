import { hash } from 'node:crypto';
import { DragomanError } from '@dragoman/protocol/error';
import type { Store } from '@dragoman/server';
import type { Kysely } from 'kysely';
import type { BlobView } from '../../blob-view.ts';
import { type BlobStore, isBlobName } from '../blobs/blob-store.ts';
import type { BlobTables } from '../blobs/blob-tables.ts';
import { nameList } from '../blobs/name-list.ts';
import { inTurns, NAMES_PER_TURN, nextTurn } from '../blobs/next-turn.ts';
import { digestOfSet, packNames, unpackNames } from '../blobs/packed-names.ts';
import { RecentlyUsed } from './recently-used.ts';
import { sortInTurns } from './sort-in-turns.ts';

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
  /** When it was last looked whether anything has come, and what `BlobStore.additions` was. */
  lookedAt: number;
  additions: number;
}

interface OwnedNames {
  names: Set<string>;
  stamp: string;
}

/** Names in one call, and in one set: more than a large repository has, and little enough to be gone through while others wait. */
export const MAX_SET_NAMES = 200_000;

const DAY_MS = 86_400_000;
const UNUSED_DAYS = 30;
/** A chain is read as a whole, so it stays this short, and no longer to read than the whole set would be. */
const MAX_DEPTH = 64;
/** Names in memory, over all sets: the sets of a large workspace share their texts. */
const MAX_CACHED_NAMES = 500_000;
/** What was owned is believed for this long: another process may have taken it. */
const BELIEVE_MS = 600_000;
/** So few that are missing are looked for each time. */
const FEW_NAMES = 1_000;
/** Where many are missing, what came through a program of an older version is seen after this long; what else came, at once. */
const LOOK_AGAIN_MS = 2_000;
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
  readonly #looking = new Map<string, Promise<View>>();
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
    const names = await change(base?.names ?? NOTHING, set);
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
    if (isChanged) refuseTooMany('One call', set.added.length + set.deleted.length);
    const known = base?.names ?? NOTHING;
    const key = cacheKey(userId, base?.chain[0] ?? '', isChanged ? digestOfChange(set) : '');
    if (set.added.length > NAMES_PER_TURN) await nextTurn();
    const { view, unowned } = await this.#look(userId, key, () => (isChanged ? change(known, set) : known));
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

  /** All that the user uploaded; of too much, what was used last. */
  async everything(userId: string): Promise<BlobView> {
    const key = cacheKey(userId, 'everything');
    const stamp = this.#stamp();
    const additions = await this.#blobs.additions(userId);
    const kept = this.#views.get(key);
    if (kept?.stamp === stamp && !this.#mayHaveGrown(kept, kept.names.size, additions)) return kept.view;
    const lookedAt = this.#now();
    const names = new Set(await sortInTurns(await this.#blobs.allOwned(userId, MAX_SET_NAMES)));
    const unowned = await this.#unowned(userId, [...names], stamp);
    const view = { ...toView(names, unowned, stamp), lookedAt, additions };
    this.#views.set(key, view);
    return view.view;
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
      names: new Set(await sortInTurns([...names])),
      chain: rows.map((row) => row.id),
      changed: rows[0]!.changed,
      touchedOn: Math.min(...rows.map((row) => row.used_at)),
    };
  }

  /** The part of a set that the user owns. Blobs that were missing may have come since. */
  async #look(
    userId: string,
    key: string,
    makeNames: () => ReadonlySet<string> | Promise<ReadonlySet<string>>,
  ): Promise<View> {
    const stamp = this.#stamp();
    const known = this.#views.get(key);
    if (known?.stamp === stamp && known.unowned.length === 0) return known;
    const additions = await this.#blobs.additions(userId);
    const kept = this.#views.get(key);
    const before = kept?.stamp === stamp ? kept : undefined;
    if (before !== undefined && !this.#mayHaveGrown(before, before.unowned.length, additions)) return before;
    // Whoever asks the same meanwhile waits for the same answer.
    const question = cacheKey(key, stamp, String(additions));
    const running = this.#looking.get(question);
    if (running !== undefined) return running;
    const look = async (): Promise<View> => {
      const lookedAt = this.#now();
      const names = kept?.names ?? (await makeNames());
      const unowned = await this.#unowned(userId, before?.unowned ?? [...names], stamp);
      const isSame = before !== undefined && unowned.length === before.unowned.length;
      const view = { ...(isSame ? before : toView(names, unowned, stamp)), lookedAt, additions };
      this.#views.set(key, view);
      return view;
    };
    const looking = look().finally(() => this.#looking.delete(question));
    this.#looking.set(question, looking);
    return looking;
  }

  /** Changes with everything that may take blobs from somebody. */
  #stamp(): string {
    return `${this.#blobs.removals} ${Math.floor(this.#now() / BELIEVE_MS)}`;
  }

  /** Whether to look for blobs again, at the price of asking about so many names. */
  #mayHaveGrown({ lookedAt, additions }: View, names: number, additionsNow: number): boolean {
    return names <= FEW_NAMES || additions !== additionsNow || this.#now() - lookedAt >= LOOK_AGAIN_MS;
  }

  /** Those of the names that the user has not uploaded. What is known to be owned is not asked, and not touched, again. */
  async #unowned(userId: string, names: readonly string[], stamp: string): Promise<string[]> {
    const kept = this.#owned.get(userId);
    const owned = kept?.stamp === stamp ? kept : { names: new Set<string>(), stamp };
    const unowned: string[] = [];
    for await (const some of inTurns(names)) {
      const asked = some.filter((name) => !owned.names.has(name));
      for (const name of await this.#blobs.owned(userId, asked)) owned.names.add(name);
      for (const name of asked) if (!owned.names.has(name)) unowned.push(name);
    }
    this.#owned.set(userId, owned);
    return unowned;
  }

  #today(): number {
    return Math.floor(this.#now() / DAY_MS);
  }
}

const CHECKPOINT_ID = /^cp_[0-9a-f]{64}$/;

/** The set after a change, in order. A name that is both deleted and added is in it. */
async function change(base: ReadonlySet<string>, { added, deleted }: BlobSet): Promise<ReadonlySet<string>> {
  refuseTooMany('One call', added.length + deleted.length);
  const names = new Set(base);
  for (const name of deleted) names.delete(name);
  for await (const some of inTurns(added)) for (const name of some) if (isBlobName(name)) names.add(name);
  refuseTooMany('A set', names.size);
  const sorted = new Set(await sortInTurns([...names]));
  if (sorted.size > NAMES_PER_TURN) await nextTurn();
  return sorted;
}

function refuseTooMany(what: string, names: number): void {
  if (names <= MAX_SET_NAMES) return;
  throw new DragomanError('too-large', `${what} may name ${MAX_SET_NAMES} blobs; this one has ${names}.`);
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

function toView(
  names: ReadonlySet<string>,
  unowned: readonly string[],
  stamp: string,
): Omit<View, 'lookedAt' | 'additions'> {
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
