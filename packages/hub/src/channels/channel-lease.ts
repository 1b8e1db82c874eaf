import { isGone, type StoreEngine, storeTime } from '@dragoman/server/base';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { HubLog } from '../hub-log.ts';
import type { HubTables } from '../hub-tables.ts';
import type { ChannelState } from './channel.ts';
import type { DeskClock } from './desk-clock.ts';

/** What a lease stands on. */
export interface ChannelLeaseOptions {
  db: Kysely<HubTables>;
  engine: StoreEngine;
  logger: HubLog;
  clock: DeskClock;
  channel: string;
  /** This process. */
  holder: string;
}

/** One that died on another host is followed in less than ten seconds. */
const LEASE_MS = 6_000;
const RENEW_MS = 2_000;
const STARTING: ChannelState = { type: 'starting' };

/**
 * The right to work for a channel: of several processes one has it. A process that ends gives it up; of one that was killed
 * it is taken over at once on the same host, and runs out on another, by the clock that the processes share.
 */
export class ChannelLease {
  readonly #options: ChannelLeaseOptions;
  #isHeld = false;
  #state: ChannelState = STARTING;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(options: ChannelLeaseOptions) {
    this.#options = options;
  }

  /** Works whenever this process has the lease, until the signal ends it. What works is told when the lease is lost. */
  async run(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      if (await this.#take(signal)) {
        const lost = new AbortController();
        const working = work(AbortSignal.any([signal, lost.signal]));
        await this.#keep(signal);
        this.#isHeld = false;
        lost.abort();
        await working;
        if (signal.aborted) await this.#giveUp();
      } else await clock.wait(RENEW_MS, signal).catch(() => {});
    }
  }

  /** This process works for the channel. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Writes down how the channel is, for every process. */
  tell(state: ChannelState): void {
    const { db, channel, holder, clock, logger } = this.#options;
    if (!this.#isHeld || JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    this.#writing = this.#writing
      .then(() =>
        db
          .updateTable('hub_channel_leases')
          .set({ state_json: JSON.stringify(state), state_since: clock.now() })
          .where('channel', '=', channel)
          .where('holder', '=', holder)
          .execute(),
      )
      .catch((err: unknown) => logger.warn({ err, channel }, 'could not store the state of a channel'));
  }

  async #take(signal: AbortSignal): Promise<boolean> {
    const { db, channel, holder, clock, logger } = this.#options;
    const values = {
      holder,
      until: this.#end(),
      state_json: JSON.stringify(STARTING),
      state_since: clock.now(),
    };
    try {
      const before = await db
        .selectFrom('hub_channel_leases')
        .select('holder')
        .where('channel', '=', channel)
        .executeTakeFirst();
      const mayHave = before !== undefined && isGone(before.holder) ? [holder, before.holder] : [holder];
      const row = await db
        .insertInto('hub_channel_leases')
        .values({ channel, ...values })
        .onConflict((conflict) =>
          conflict
            .column('channel')
            .doUpdateSet(values)
            .where((where) =>
              where.or([
                where('hub_channel_leases.until', '<=', this.#time()),
                where('hub_channel_leases.holder', 'in', mayHave),
              ]),
            ),
        )
        .returning('holder')
        .executeTakeFirst();
      this.#state = STARTING;
      this.#isHeld = row?.holder === holder;
      return this.#isHeld;
    } catch (err) {
      if (!signal.aborted) logger.warn({ err, channel }, 'the lease of a channel could not be taken');
      return false;
    }
  }

  /** Renews it until it is lost. A store that does not answer for longer than it lasts loses it too. */
  async #keep(signal: AbortSignal): Promise<void> {
    const { db, channel, holder, clock, logger } = this.#options;
    let until = clock.now() + LEASE_MS;
    for (;;) {
      await clock.wait(RENEW_MS, signal).catch(() => {});
      if (signal.aborted) return;
      const next = clock.now() + LEASE_MS;
      try {
        const { numUpdatedRows } = await db
          .updateTable('hub_channel_leases')
          .set({ until: this.#end() })
          .where('channel', '=', channel)
          .where('holder', '=', holder)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return;
        until = next;
      } catch (err) {
        if (signal.aborted) return;
        logger.warn({ err, channel }, 'the lease of a channel could not be renewed');
        if (clock.now() >= until - RENEW_MS) return;
      }
    }
  }

  #time(): RawBuilder<number> {
    return storeTime(this.#options.engine, this.#options.clock.now);
  }

  #end(): RawBuilder<number> {
    return sql<number>`${this.#time()} + ${sql.lit(LEASE_MS)}`;
  }

  async #giveUp(): Promise<void> {
    const { db, channel, holder, logger } = this.#options;
    await this.#writing;
    await db
      .updateTable('hub_channel_leases')
      .set({ until: 0 })
      .where('channel', '=', channel)
      .where('holder', '=', holder)
      .execute()
      .catch((err: unknown) => logger.warn({ err, channel }, 'the lease of a channel could not be given up'));
  }
}

/** How a channel is, as the process tells that works for it; at the time of the store. */
export async function readChannelState(
  db: Kysely<HubTables>,
  channel: string,
  time: RawBuilder<number>,
): Promise<ChannelState & { since?: number }> {
  const row = await db
    .selectFrom('hub_channel_leases')
    .select(['holder', 'state_json', 'state_since'])
    .where('channel', '=', channel)
    .where('until', '>', time)
    .executeTakeFirst();
  // What a process said that is gone does not count.
  if (row === undefined || isGone(row.holder)) return STARTING;
  return { ...(JSON.parse(row.state_json) as ChannelState), since: row.state_since };
}
