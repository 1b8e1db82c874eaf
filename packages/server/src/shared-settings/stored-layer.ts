import { DragomanError } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { ConfigChange } from '../config/edit-config.ts';
import { EMPTY_LAYER, type SharedLayer } from './shared-layer.ts';
import type { SharedSettingsTables } from './shared-settings-tables.ts';

type Row = SharedSettingsTables['shared_settings'];

const ROW = 1;

/** The layer as the database has it. */
export async function readStoredLayer(db: Kysely<SharedSettingsTables>): Promise<SharedLayer> {
  const row = await db.selectFrom('shared_settings').selectAll().where('id', '=', ROW).executeTakeFirst();
  return row === undefined ? EMPTY_LAYER : toLayer(row);
}

/**
 * Makes a layer of the one that is there. One after the other: what is made is made of the latest, and where making it fails
 * nothing changes.
 */
export function changeStoredLayer(
  db: Kysely<SharedSettingsTables>,
  version: string | undefined,
  make: (layer: SharedLayer) => SharedLayer,
): Promise<SharedLayer> {
  return db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('shared_settings')
      .values({ id: ROW, ...toRow(EMPTY_LAYER) })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    const row = await transaction
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
    await transaction.updateTable('shared_settings').set(toRow(layer)).where('id', '=', ROW).execute();
    return layer;
  });
}

function toLayer({ number, changes_json, secrets_json }: Row): SharedLayer {
  return {
    number,
    changes: JSON.parse(changes_json) as ConfigChange[],
    secrets: JSON.parse(secrets_json) as Record<string, string>,
  };
}

function toRow({ number, changes, secrets }: SharedLayer): Omit<Row, 'id'> {
  return { number, changes_json: JSON.stringify(changes), secrets_json: JSON.stringify(secrets) };
}
