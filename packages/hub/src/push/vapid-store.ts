import type { Kysely } from 'kysely';
import type { PushTables } from './push-tables.ts';
import { newVapidKeys, type VapidKeys } from './vapid.ts';

/** The server's keys, made the first time they are asked for. Processes that make them at once agree on one pair. */
export async function openVapidKeys(db: Kysely<PushTables>): Promise<VapidKeys> {
  const known = await findKeys(db);
  if (known !== undefined) return known;
  const { publicKey, privateKey } = newVapidKeys();
  await db
    .insertInto('hub_push_keys')
    .values({ id: 'vapid', public_key: publicKey, private_key: privateKey })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findKeys(db))!;
}

async function findKeys(db: Kysely<PushTables>): Promise<VapidKeys | undefined> {
  const row = await db.selectFrom('hub_push_keys').selectAll().executeTakeFirst();
  return row && { publicKey: row.public_key, privateKey: row.private_key };
}
