import { randomUUID } from 'node:crypto';
import { databaseTime, type StoreEngine } from '@dragoman/server/base';
import { type Kysely, sql } from 'kysely';
import type { HubLog } from '../hub-log.ts';
import type { HubTables } from '../hub-tables.ts';

/** What is needed to know of the others. */
export interface LiveProcessesOptions {
  db: Kysely<HubTables>;
  engine: StoreEngine;
  logger: HubLog;
  /** How often a sign of life is given and looked for. */
  signMs?: number | undefined;
}

/** A process without a sign for so long is dead: with the time between two looks that is less than ten seconds. */
const DEAD_AFTER_MS = 6_500;
const SIGN_MS = 2_000;
/** What died longer ago is forgotten. */
const KEPT_MS = 24 * 3_600_000;

/**
 * The processes that share one PostgreSQL, by the signs of life that each gives there. One that was killed says no goodbye: it
 * is known by its silence, and whoever hears of it takes over what it did.
 *
 * Moments are the database's: no two machines have the same clock. While the database itself is away nobody can give a sign,
 * so afterwards everybody has the time to give one. With SQLite there is this process alone.
 */
export class LiveProcesses {
  /** Names this process among the others. */
  readonly id: string = randomUUID();
  readonly #options: LiveProcessesOptions;
  readonly #listeners = new Set<(dead: readonly string[]) => void>();
  #alive = new Set<string>([this.id]);
  /** When this process last looked, and from when on silence counts again, by its own clock. */
  #lookedAt = 0;
  #judgesFrom = 0;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  static async open(options: LiveProcessesOptions): Promise<LiveProcesses> {
    const processes = new LiveProcesses(options);
    if (options.engine === 'sqlite') return processes;
    await processes.look();
    processes.#timer = setInterval(() => {
      processes
        .look()
        .catch((err: unknown) => options.logger.warn({ err }, 'no sign of life could be given to the other processes'));
    }, options.signMs ?? SIGN_MS).unref();
    return processes;
  }

  private constructor(options: LiveProcessesOptions) {
    this.#options = options;
  }

  isAlive(processId: string): boolean {
    return this.#alive.has(processId);
  }

  /** Something came from a process just now, so it lives. */
  met(processId: string): void {
    this.#alive.add(processId);
  }

  /** Calls whenever processes were found to be dead. Returns how to stop. */
  onDeath(listener: (dead: readonly string[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Gives a sign and looks for those of the others. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** Says goodbye: nobody has to wait for the silence. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#options.engine === 'sqlite') return;
    await this.#looking?.catch(() => {});
    await this.#options.db
      .deleteFrom('hub_processes')
      .where('id', '=', this.id)
      .execute()
      .catch((err: unknown) => this.#options.logger.debug({ err }, 'no goodbye could be said to the other processes'));
  }

  async #look(): Promise<void> {
    const { db } = this.#options;
    const { rows } = await sql<{ id: string; silence: number }>`
      with sign as (
        insert into hub_processes (id, seen_at) values (${this.id}, ${databaseTime})
        on conflict (id) do update set seen_at = excluded.seen_at
      ), forgotten as (
        delete from hub_processes where seen_at < ${databaseTime} - ${sql.lit(KEPT_MS)}
      )
      select id, ${databaseTime} - seen_at as silence from hub_processes where id <> ${this.id}
    `.execute(db);
    const now = performance.now();
    if (this.#lookedAt > 0 && now - this.#lookedAt > DEAD_AFTER_MS) this.#judgesFrom = now + DEAD_AFTER_MS;
    this.#lookedAt = now;
    const before = this.#alive;
    const isJudging = now >= this.#judgesFrom;
    const lives = rows.filter(({ id, silence }) => silence < DEAD_AFTER_MS || (!isJudging && before.has(id)));
    this.#alive = new Set([this.id, ...lives.map(({ id }) => id)]);
    const dead = [...before].filter((id) => !this.#alive.has(id));
    if (dead.length > 0) for (const listener of this.#listeners) listener(dead);
  }
}
