import { randomUUID } from 'node:crypto';
import { DragomanError } from '@dragoman/protocol';
import type { ServerSettings } from '@dragoman/protocol/console';
import type { Kysely } from 'kysely';
import type { ConfigChange } from '../config/edit-config.ts';
import type { Store } from '../store/open-store.ts';
import type { StoreChannel } from '../store/store-channel.ts';
import { forgetOwnState, listServers, noteOwnState, type OwnState, untilAllRead } from './settings-servers.ts';
import { EMPTY_LAYER, readLayerCopy, type SharedLayer, writeLayerCopy } from './shared-layer.ts';
import type { SharedSettingsTables } from './shared-settings-tables.ts';

/** What shared settings stand on. */
export interface SharedSettingsOptions {
  store: Pick<Store, 'tables' | 'openChannel'>;
  /** Where this server keeps its copy. */
  file: string;
  log: { warn(facts: object, message: string): void };
  /** The copy has changed; when this returns it is in force, or it is known why not. */
  changed: () => void;
  /** What this server makes of it; nothing before it listens. */
  ownState: () => OwnState | undefined;
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
  /** Names this server among the others. */
  readonly #id = randomUUID();
  #isClosed = false;
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

  /** Brings the copy up to date, and tells the others what this server makes of it. */
  async refresh(): Promise<void> {
    const row = await this.#db.selectFrom('shared_settings').selectAll().where('id', '=', ROW).executeTakeFirst();
    this.#take(row === undefined ? EMPTY_LAYER : toLayer(row));
    const state = this.#options.ownState();
    if (state === undefined || this.#isClosed) return;
    await noteOwnState(this.#db, this.#id, Number(this.version), state);
  }

  /** The servers that share these settings, and what each makes of them. */
  servers(): Promise<ServerSettings[]> {
    return listServers(this.#db, this.#id);
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
    // It holds from here on; what fails below is tried again when this server looks the next time.
    const { log } = this.#options;
    await this.#channel!.notify('').catch((err: unknown) =>
      log.warn({ err }, 'the other servers will see later that settings were changed'),
    );
    await this.refresh().catch((err: unknown) =>
      log.warn({ err }, 'the settings were changed, but the copy of this server could not be written yet'),
    );
    await untilAllRead(this.#db, made.number);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#channel?.close();
    this.#isClosed = true;
    await forgetOwnState(this.#db, this.#id).catch((err: unknown) =>
      this.#options.log.warn({ err }, 'the other servers will show this one for a moment longer'),
    );
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
