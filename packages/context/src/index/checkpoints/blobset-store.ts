import type { Store } from '@dragoman/server';
import type { Kysely } from 'kysely';
import type { BlobTables } from '../blobs/blob-tables.ts';

export interface Blobset {
  commitSha: string;
  commitTime: string;
  checkpointId: string;
}

/** Per user; the ones registered first go first. */
const MAX_BLOBSETS = 500;
const COMMIT_SHA = /^[0-9a-f]{7,64}$/;

/** Which checkpoint belongs to which commit, as clients register them: another copy of that commit can start from it. */
export class BlobsetStore {
  readonly #db: Kysely<BlobTables>;
  readonly #now: () => number;
  readonly #max: number;

  constructor(store: Pick<Store, 'tables'>, options: { now?: () => number; max?: number } = {}) {
    this.#db = store.tables<BlobTables>();
    this.#now = options.now ?? Date.now;
    this.#max = options.max ?? MAX_BLOBSETS;
  }

  async register(userId: string, { commitSha, commitTime, checkpointId }: Blobset): Promise<void> {
    if (!COMMIT_SHA.test(commitSha)) return;
    const row = { commit_time: commitTime.slice(0, 40), checkpoint_id: checkpointId, registered_at: this.#now() };
    await this.#db
      .insertInto('context_blobsets')
      .values({ user_id: userId, commit_sha: commitSha, ...row })
      .onConflict((conflict) => conflict.columns(['user_id', 'commit_sha']).doUpdateSet(row))
      .execute();
    const { oldest } = await this.#db
      .selectFrom((query) =>
        query
          .selectFrom('context_blobsets')
          .where('user_id', '=', userId)
          .orderBy('registered_at', 'desc')
          .limit(this.#max)
          .select('registered_at')
          .as('kept'),
      )
      .select(({ fn }) => fn.min('registered_at').as('oldest'))
      .executeTakeFirstOrThrow();
    await this.#db
      .deleteFrom('context_blobsets')
      .where('user_id', '=', userId)
      .where('registered_at', '<', oldest)
      .execute();
  }

  /** The first of these commits that has one. */
  async latest(userId: string, commitShas: readonly string[]): Promise<Blobset | undefined> {
    const asked = commitShas.filter((sha) => COMMIT_SHA.test(sha)).slice(0, 1_000);
    if (asked.length === 0) return undefined;
    const rows = await this.#db
      .selectFrom('context_blobsets')
      .where('user_id', '=', userId)
      .where('commit_sha', 'in', asked)
      .selectAll()
      .execute();
    const found = asked.map((sha) => rows.find((row) => row.commit_sha === sha)).find((row) => row !== undefined);
    return found && { commitSha: found.commit_sha, commitTime: found.commit_time, checkpointId: found.checkpoint_id };
  }
}
