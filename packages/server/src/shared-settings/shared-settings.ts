import { randomUUID } from 'node:crypto';
import type { ServerSettings } from '@dragoman/protocol/console';
import type { Kysely } from 'kysely';
import type { ConfigChange } from '../config/edit-config.ts';
import type { Store } from '../store/open-store.ts';
import type { StoreChannel } from '../store/store-channel.ts';
import { forgetOwnState, listServers, noteOwnState, type OwnState, untilAllRead } from './settings-servers.ts';
import { isWithin, readLayerCopy, type SharedLayer, writeLayerCopy } from './shared-layer.ts';
import type { SharedSettingsTables } from './shared-settings-tables.ts';
import { changeStoredLayer, readStoredLayer } from './stored-layer.ts';

/** What shared settings stand on. */
export interface SharedSettingsOptions {
  store: Pick<Store, 'tables' | 'openChannel'>;
  /** Where this server keeps its copy. */
  file: string;
  log: { warn(facts: object, message: string): void };
  /** The copy has changed; when this returns it is in force, or it is known why not. */
  changed: () => void;
  /** What is in force on this server. */
  inForce: () => readonly ConfigChange[];
  /** What this server makes of it; nothing before it listens. */
  ownState: () => OwnState | undefined;
}

/** Where servers are told of changes. */
export const SETTINGS_CHANNEL = 'dragoman_settings';
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
    shared.#channel = await store.openChannel(SETTINGS_CHANNEL, look);
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
    this.#take(await readStoredLayer(this.#db));
    const state = this.#options.ownState();
    if (state === undefined || this.#isClosed) return;
    await noteOwnState(this.#db, this.#id, Number(this.version), state);
  }

  /** The servers that share these settings, and what each makes of them. */
  servers(): Promise<ServerSettings[]> {
    return listServers(this.#db, this.#id);
  }

  /** Makes a layer of the one that is there, for every server. */
  async change(version: string | undefined, make: (layer: SharedLayer) => SharedLayer): Promise<void> {
    const made = await changeStoredLayer(this.#db, version, make);
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
    const { file, changed, inForce } = this.#options;
    const { before, ...copy } = readLayerCopy(file);
    if (!isSame(layer, copy)) {
      writeLayerCopy(file, { ...layer, before: replacedBy(layer.changes, inForce()) });
      changed();
    } else if (before !== undefined && isSame(layer.changes, inForce())) {
      writeLayerCopy(file, layer);
    }
  }
}

/** What is in force and would be no longer: a change that cannot be leaves it so. */
function replacedBy(changes: readonly ConfigChange[], inForce: readonly ConfigChange[]): ConfigChange[] | undefined {
  const replaced = inForce.filter((old) =>
    changes.some((change) => isWithin(old.path, change.path) && !isSame(old, change)),
  );
  return replaced.length === 0 ? undefined : replaced;
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
