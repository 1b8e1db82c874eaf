import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '@dragoman/server';
import type { ConsoleAssetTables } from './console-asset-tables.ts';

/** A file of the console as it was built elsewhere. */
export interface KeptAsset {
  body: Buffer;
  /** Packed with Brotli. */
  isPacked: boolean;
}

/** What kept files stand on. */
export interface ConsoleAssetsOptions {
  store: Pick<Store, 'tables'>;
  /** Where the console was built to. */
  folder: string;
  now?: () => number;
}

/** Servers say this often that they still hand out their version. */
const SIGN_MS = 6 * 3_600_000;
/** A version that no server had for so long is gone, and so are pages of it. */
const KEPT_MS = 7 * 24 * 3_600_000;
/** The largest is a tenth of it, and all of one version half as much. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_FILES = 1_000;
/** So much is sent to the database at once. */
const BATCH_BYTES = 1024 * 1024;

/**
 * The files of the console in the database that several servers share. While one after the other is replaced, a page of one
 * version asks a server of the other for its files; what is missing there is answered from here.
 */
export class ConsoleAssets {
  readonly #options: ConsoleAssetsOptions;
  #timer: NodeJS.Timeout | undefined;

  /** Keeps what this server hands out, before it hands it out. */
  static async open(options: ConsoleAssetsOptions): Promise<ConsoleAssets> {
    const assets = new ConsoleAssets(options);
    await assets.#keep();
    assets.#timer = setInterval(() => void assets.#sign().catch(() => {}), SIGN_MS).unref();
    return assets;
  }

  private constructor(options: ConsoleAssetsOptions) {
    this.#options = options;
  }

  async read(name: string): Promise<KeptAsset | undefined> {
    const row = await this.#db
      .selectFrom('console_assets')
      .select(['body', 'is_packed'])
      .where('name', '=', name)
      .executeTakeFirst();
    return row === undefined ? undefined : { body: Buffer.from(row.body), isPacked: row.is_packed === 1 };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  get #db() {
    return this.#options.store.tables<ConsoleAssetTables>();
  }

  get #now() {
    return (this.#options.now ?? Date.now)();
  }

  /** The files that have their hash in their name, without their packed forms. */
  #names(): string[] {
    const { folder } = this.#options;
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder).filter((name) => !name.endsWith('.br'));
    return names.length > MOST_FILES ? [] : names;
  }

  async #keep(): Promise<void> {
    const names = this.#names();
    if (names.length === 0) return;
    const kept = await this.#db.selectFrom('console_assets').select('name').where('name', 'in', names).execute();
    const known = new Set(kept.map(({ name }) => name));
    let batch: ConsoleAssetTables['console_assets'][] = [];
    let [bytes, total] = [0, 0];
    const send = async () => {
      if (batch.length > 0)
        await this.#db
          .insertInto('console_assets')
          .values(batch)
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute();
      [batch, bytes] = [[], 0];
    };
    for (const name of names) {
      if (known.has(name)) continue;
      const path = join(this.#options.folder, name);
      const isPacked = existsSync(`${path}.br`);
      const file = isPacked ? `${path}.br` : path;
      const { size } = statSync(file);
      if (total + size > MOST_BYTES) continue;
      batch.push({ name, body: readFileSync(file), is_packed: isPacked ? 1 : 0, seen_at: this.#now });
      [bytes, total] = [bytes + size, total + size];
      if (bytes > BATCH_BYTES) await send();
    }
    await send();
    await this.#sign();
  }

  /** Says that this version is handed out, and takes away those that nobody has any more. */
  async #sign(): Promise<void> {
    const names = this.#names();
    if (names.length > 0)
      await this.#db.updateTable('console_assets').set({ seen_at: this.#now }).where('name', 'in', names).execute();
    await this.#db
      .deleteFrom('console_assets')
      .where('seen_at', '<', this.#now - KEPT_MS)
      .execute();
  }
}
