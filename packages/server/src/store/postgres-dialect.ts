import type { PostgresDialect } from 'kysely';

/** Connecting, and any single statement, gives up after this long. */
const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;
const INT8_OID = 20;

/** Kysely on PostgreSQL. `pg` is loaded here, when a database address was given, and not before. */
export async function createPostgresDialect(
  url: string,
  onIdleError: (error: Error) => void,
): Promise<PostgresDialect> {
  const [{ default: pg }, { PostgresDialect: Dialect }] = await Promise.all([import('pg'), import('kysely')]);
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'dragoman',
    types: {
      // Our integers are times and counts, far below 2^53; `pg` would give them as text.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format),
    },
  });
  // A connection that breaks while idle is replaced at the next query; without a listener it would end the process.
  pool.on('error', onIdleError);
  // One that breaks inside a transaction, between two statements, fails the next statement; the event is told to nobody.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Dialect({ pool });
}
