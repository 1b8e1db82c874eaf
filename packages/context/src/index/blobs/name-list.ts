import type { StoreEngine } from '@dragoman/server';
import { type RawBuilder, sql } from 'kysely';

/**
 * Names as one parameter, to be used after `in`: a list of any length is then the same prepared statement and stays
 * within both engines' limits on parameters.
 */
export function nameList(engine: StoreEngine, names: readonly string[]): RawBuilder<string> {
  return engine === 'sqlite'
    ? sql<string>`(select value from json_each(${JSON.stringify(names)}))`
    : sql<string>`(select unnest(${names}::text[]))`;
}
