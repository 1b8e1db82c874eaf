import { type FSWatcher, watch, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '@dragoman/protocol';
import { type ChannelListener, MAX_PAYLOAD_BYTES, type StoreChannel } from './store-channel.ts';

/** How long after a write to the file it is looked what was told: one look for all that comes together. */
const GATHER_MS = 5;
/** How often it is looked anyway, in case the system did not tell of a write. */
const LOOK_MS = 2_000;
/** How often where the system does not tell of writes at all: while something happens, and when nothing did for a while. */
const LOOK_UNTOLD_MS = 100;
const LOOK_QUIET_MS = 1_000;
const QUIET_AFTER_MS = 10_000;
/** What was told longer ago is swept away; a process that did not look for so long hears that it may have missed something. */
const KEPT_MS = 60_000;
const SWEEP_MS = 20_000;
/** Another process writes for less than a millisecond. */
const BUSY_TRIES = 50;

interface Told {
  id: number;
  channel: string;
  payload: string;
}

/**
 * Channels between the processes that share a SQLite file: a small file beside it that everybody writes lines into and
 * looks at when the system says that it was written. Nothing in it has to outlive the machine, so it is not synced to the disk.
 */
export class SqliteChannels {
  readonly #listeners = new Map<string, Set<ChannelListener>>();
  readonly #database: DatabaseSync;
  readonly #onIdleError: (error: Error) => void;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #watcher: FSWatcher | undefined;
  #version: number;
  #last: number;
  #lookedAt = Date.now();
  /** When something was told last, by whomever. */
  #toldAt = Date.now();
  #sweptAt = 0;

  constructor(databaseFile: string, onIdleError: (error: Error) => void, watchFile: typeof watch = watch) {
    this.#onIdleError = onIdleError;
    const file = `${databaseFile}-told`;
    writeFileSync(file, '', { flag: 'a', mode: 0o600 }); // SQLite would make it readable to others.
    this.#database = new DatabaseSync(file, { timeout: 1_000 });
    this.#database.exec(
      'pragma journal_mode = wal; pragma synchronous = off; ' +
        'create table if not exists told (id integer primary key autoincrement, at integer not null, channel text not null, payload text not null)',
    );
    this.#version = this.#readVersion();
    this.#last = (this.#database.prepare('select max(id) as id from told').get() as { id: number | null }).id ?? 0;
    this.#watch(`${file}-wal`, watchFile);
  }

  async open(name: string, listener: ChannelListener): Promise<StoreChannel> {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    return {
      notify: (payload) => this.#notify(name, payload),
      close: async () => {
        listeners.delete(listener);
      },
    };
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    clearTimeout(this.#soon);
    this.#watcher?.close();
    this.#listeners.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  async #notify(channel: string, payload: string): Promise<void> {
    const bytes = Buffer.byteLength(payload);
    if (bytes > MAX_PAYLOAD_BYTES)
      throw new DragomanError(
        'too-large',
        `A notification of ${bytes} bytes is too large; the limit is ${MAX_PAYLOAD_BYTES}.`,
      );
    const now = Date.now();
    for (let tries = 1; ; tries += 1) {
      if (!this.#database.isOpen)
        throw new DragomanError('unavailable', 'The store is closed; nothing more can be told.');
      try {
        this.#database.prepare('insert into told (at, channel, payload) values (?, ?, ?)').run(now, channel, payload);
        break;
      } catch (error) {
        if (tries === BUSY_TRIES) throw error;
        await delay(2);
      }
    }
    if (now - this.#sweptAt > SWEEP_MS) {
      this.#sweptAt = now;
      this.#database.prepare('delete from told where at < ?').run(now - KEPT_MS);
    }
    this.#hear();
  }

  #watch(file: string, watchFile: typeof watch): void {
    const lookAfter = (pauseMs: () => number) => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        this.#look();
        if (this.#database.isOpen) lookAfter(pauseMs);
      }, pauseMs()).unref();
    };
    const lookUntold = () =>
      lookAfter(() => (Date.now() - this.#toldAt > QUIET_AFTER_MS ? LOOK_QUIET_MS : LOOK_UNTOLD_MS));
    try {
      this.#watcher = watchFile(file, { persistent: false }, () => this.#lookSoon());
      this.#watcher.on('error', lookUntold);
      lookAfter(() => LOOK_MS);
    } catch {
      lookUntold(); // Systems have a limit of watched files.
    }
  }

  #lookSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#look();
    }, GATHER_MS).unref();
  }

  #look(): void {
    if (!this.#database.isOpen) return;
    try {
      const version = this.#readVersion();
      const hasSlept = Date.now() - this.#lookedAt > KEPT_MS / 2;
      this.#lookedAt = Date.now();
      if (version === this.#version && !hasSlept) return;
      this.#version = version;
      this.#hear();
      if (!hasSlept) return;
      for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(undefined);
    } catch (error) {
      this.#onIdleError(error as Error);
    }
  }

  /** Everything that was told since the last time, by whomever. */
  #hear(): void {
    const told = this.#database
      .prepare('select id, channel, payload from told where id > ? order by id')
      .all(this.#last) as unknown as Told[];
    if (told.length > 0) this.#toldAt = Date.now();
    for (const { id, channel, payload } of told) {
      this.#last = id;
      for (const listener of this.#listeners.get(channel) ?? []) listener(payload);
    }
  }

  /** Changes when another process has written. */
  #readVersion(): number {
    return (this.#database.prepare('pragma data_version').get() as { data_version: number }).data_version;
  }
}
