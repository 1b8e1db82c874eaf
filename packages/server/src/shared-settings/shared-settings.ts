import { DragomanError } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { ConfigChange } from '../config/edit-config.ts';
import type { Store } from '../store/open-store.ts';
import type { StoreChannel } from '../store/store-channel.ts';
import { EMPTY_LAYER, readLayerCopy, type SharedLayer, writeLayerCopy } from './shared-layer.ts';
import type { SharedSettingsTables } from './shared-settings-tables.ts';

/** What shared settings stand on. */
export interface SharedSettingsOptions {
  store: Pick<Store, 'tables' | 'openChannel'>;
  /** Where this server keeps its copy. */
  file: string;
  log: { warn(facts: object, message: string): void };
  /** The copy has changed. */
  changed: () => void;
}

const CHANNEL = 'dragoman_settings';
const ROW = 1;
/** A word of another server may get lost with a connection, so it is looked now and then. */
const LOOK_MS = 5_000;

/**
 * The settings of all servers on one PostgreSQL, in the database. Whoever changes them tells the others, and each brings its
 * copy up to date.
 */
export class SharedSettings {
  readonly #options: SharedSettingsOptions;
  readonly #db: Kysely<SharedSettingsTables>;
  #channel: StoreChannel | undefined;
  #timer: NodeJS.Timeout | undefined;

  static async open(options: SharedSettingsOptions): Promise<SharedSettings> {
    const shared = new SharedSettings(options);
    const { store, log } = options;
    const look = () =>
      void shared.refresh().catch((err: unknown) => log.warn({ err }, 'the shared settings could not be read'));
    shared.#channel = await store.openChannel(CHANNEL, look);
    await shared.refresh();
    shared.#timer = setInterval(look, LOOK_MS).unref();
    return shared;
  }

  private constructor(options: SharedSettingsOptions) {
    this.#options = options;
    this.#db = options.store.tables<SharedSettingsTables>();
  }

  /** Which state of the settings this server has. */
  get version(): string {
    return String(readLayerCopy(this.#options.file).number);
  }

  /** Brings the copy up to date. */
  async refresh(): Promise<void> {
    const row = await this.#db.selectFrom('shared_settings').selectAll().where('id', '=', ROW).executeTakeFirst();
    this.#take(row === undefined ? EMPTY_LAYER : toLayer(row));
  }

  /**
   * Makes a layer of the one that is there, for every server. One after the other: what is made is made of the latest, and
   * where making it fails nothing changes.
   */
  async change(version: string | undefined, make: (layer: SharedLayer) => SharedLayer): Promise<void> {
    const made = await this.#db.transaction().execute(async (db) => {
      const empty = toRow(EMPTY_LAYER);
      await db
        .insertInto('shared_settings')
        .values({ id: ROW, ...empty })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      const row = await db
        .selectFrom('shared_settings')
        .selectAll()
        .where('id', '=', ROW)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const before = toLayer(row);
      if (version !== undefined && version !== String(before.number))
        throw new DragomanError(
          'conflict',
          'The settings have changed since you read them. Read them again, then change them.',
        );
      const layer = { ...make(before), number: before.number + 1 };
      await db.updateTable('shared_settings').set(toRow(layer)).where('id', '=', ROW).execute();
      return layer;
    });
    this.#take(made);
    await this.#channel!.notify('').catch((err: unknown) =>
      this.#options.log.warn({ err }, 'the other servers will see later that settings were changed'),
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#channel?.close();
  }

  #take(layer: SharedLayer): void {
    const { file, changed } = this.#options;
    if (JSON.stringify(layer) === JSON.stringify(readLayerCopy(file))) return;
    writeLayerCopy(file, layer);
    changed();
  }
}

function toLayer({ number, changes_json, secrets_json }: SharedSettingsTables['shared_settings']): SharedLayer {
  return {
    number,
    changes: JSON.parse(changes_json) as ConfigChange[],
    secrets: JSON.parse(secrets_json) as Record<string, string>,
  };
}

function toRow({ number, changes, secrets }: SharedLayer): Omit<SharedSettingsTables['shared_settings'], 'id'> {
  return { number, changes_json: JSON.stringify(changes), secrets_json: JSON.stringify(secrets) };
}
