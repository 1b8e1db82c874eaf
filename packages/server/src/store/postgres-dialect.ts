import { DragomanError } from '@dragoman/protocol';
import type { DatabaseConnection, Driver, PostgresDialect } from 'kysely';
import type { PostgresRoom } from './postgres-room.ts';
import { toStoreFailure } from './store-failure.ts';

/** Connecting, and any single statement, gives up after this long. */
const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;
const INT8_OID = 20;

/** Kysely on PostgreSQL. `pg` is loaded here, when a database address was given, and not before. */
export async function createPostgresDialect(
  url: string,
  onIdleError: (error: Error) => void,
  room?: PostgresRoom,
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
  const dialect = new Dialect({ pool });
  const createDriver = dialect.createDriver.bind(dialect);
  return Object.assign(dialect, { createDriver: () => tellFailures(createDriver(), room) });
}

/** What the driver and its connections throw is told in our own words, where there are some for it. */
function tellFailures(driver: Driver, room: PostgresRoom | undefined): Driver {
  const acquire = driver.acquireConnection.bind(driver);
  const known = new WeakSet<DatabaseConnection>();
  driver.acquireConnection = async (options) => {
    const connection = await acquire(options).catch(rethrow);
    if (!known.has(connection)) tellFailuresOf(connection, room);
    known.add(connection);
    return connection;
  };
  return driver;
}

function tellFailuresOf(connection: DatabaseConnection, room: PostgresRoom | undefined): void {
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = async (query, options) => {
    try {
      return await execute<never>(query, options);
    } catch (error) {
      const failure = toStoreFailure(error);
      if (failure instanceof DragomanError && failure.code === 'disk-full') room?.noteFull();
      throw failure;
    }
  };
}

function rethrow(error: unknown): never {
  throw toStoreFailure(error);
}
