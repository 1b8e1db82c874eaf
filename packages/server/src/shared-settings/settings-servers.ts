import { setTimeout as pause } from 'node:timers/promises';
import type { ServerSettings } from '@dragoman/protocol/console';
import { redactText } from '@dragoman/protocol/secrets';
import { type Kysely, sql } from 'kysely';
import { databaseTime } from '../store/store-time.ts';
import type { SharedSettingsTables } from './shared-settings-tables.ts';

/** How a server stands to its settings. */
export interface OwnState {
  /** What people know it by. */
  name: string;
  /** Why the settings are not in force as they are. */
  problem: string | undefined;
  /** Settings that take effect after a restart. */
  forNextStart: readonly string[];
}

/** Each server gives a sign every five seconds. */
const GONE_AFTER_MS = 16_000;
const KEPT_MS = 24 * 3_600_000;
/** A change is answered after so long even where a server says nothing of it. */
const PATIENCE_MS = 1_500;
const LOOK_AGAIN_MS = 30;

/** Says what this server makes of the state of the settings that it read last. */
export async function noteOwnState(
  db: Kysely<SharedSettingsTables>,
  id: string,
  number: number,
  { name, problem, forNextStart }: OwnState,
): Promise<void> {
  const row = {
    name,
    seen_at: databaseTime,
    number,
    problem: problem === undefined ? null : redactText(problem).text,
    next_start_json: JSON.stringify(forNextStart),
  };
  await db
    .insertInto('settings_servers')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
  await db
    .deleteFrom('settings_servers')
    .where('seen_at', '<', sql<number>`${databaseTime} - ${sql.lit(KEPT_MS)}`)
    .execute();
}

export async function forgetOwnState(db: Kysely<SharedSettingsTables>, id: string): Promise<void> {
  await db.deleteFrom('settings_servers').where('id', '=', id).execute();
}

/** The servers that live and share these settings, by name. */
export async function listServers(db: Kysely<SharedSettingsTables>, ownId?: string): Promise<ServerSettings[]> {
  const layer = await db.selectFrom('shared_settings').select('number').executeTakeFirst();
  const rows = await db
    .selectFrom('settings_servers')
    .selectAll()
    .where('seen_at', '>', sql<number>`${databaseTime} - ${sql.lit(GONE_AFTER_MS)}`)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(({ id, name, number, problem, next_start_json }) => ({
    name,
    isThis: id === ownId,
    isUpToDate: problem === null && number >= (layer?.number ?? 0),
    ...(problem !== null && { problem }),
    forNextStart: JSON.parse(next_start_json) as string[],
  }));
}

/** Waits for a moment until every server that lives has read this state of the settings. */
export async function untilAllRead(db: Kysely<SharedSettingsTables>, number: number): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_AGAIN_MS) {
    const behind = await db
      .selectFrom('settings_servers')
      .select('id')
      .where('number', '<', number)
      .where('seen_at', '>', sql<number>`${databaseTime} - ${sql.lit(GONE_AFTER_MS)}`)
      .executeTakeFirst();
    if (behind === undefined) return;
    await pause(LOOK_AGAIN_MS);
  }
}
