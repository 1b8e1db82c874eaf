import type { Kysely } from 'kysely';

export type StoreEngine = 'sqlite' | 'postgres';

/**
 * One forward step of the database's shape.
 *
 * `number` counts from 1 within the room and never changes once released; there is no way back, a mistake is mended by
 * the next step. The same code runs on both engines, with the column types that `types` names.
 */
export interface Migration {
  number: number;
  /** What it does, for people who look into the table. */
  title: string;
  /** It takes nothing away and demands nothing, so a program that does not know it may go on and start again beside a newer one. */
  onlyAdds?: true;
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>;
}

/** A room's tables, step by step. */
export interface RoomMigrations {
  room: string;
  migrations: readonly Migration[];
}

/** What a column is called on each engine. Times are milliseconds since 1970, in an `integer`. */
export type ColumnTypes = {
  readonly [Type in 'text' | 'integer' | 'bytes']: 'text' | 'integer' | 'bigint' | 'blob' | 'bytea';
};

export const COLUMN_TYPES: Record<StoreEngine, ColumnTypes> = {
  sqlite: { text: 'text', integer: 'integer', bytes: 'blob' },
  postgres: { text: 'text', integer: 'bigint', bytes: 'bytea' },
};
