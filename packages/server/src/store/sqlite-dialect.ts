import { writeFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  createQueryId,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  IdentifierNode,
  type QueryCompiler,
  type QueryResult,
  RawNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { DiskRoom } from './disk-room.ts';
import { diskFullError, isFullDisk, toStoreFailure } from './store-failure.ts';

/** Statements are kept prepared; a program asks the same few hundred questions all day. */
const MAX_PREPARED = 500;

/** How long a statement waits for another process's write to end. */
const BUSY_LIMIT_MS = 15_000;
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;

/**
 * Kysely on the SQLite inside Node.
 *
 * A committed row survives the loss of power (`synchronous=FULL`), readers do not wait for the writer (WAL), and a
 * transaction takes the write lock at its start, so that two writers wait for each other instead of failing.
 *
 * Kysely's own SQLite driver is not used because it would let SQLite do the waiting, which stands the whole process
 * still: here a busy database is asked again while other work goes on.
 */
export function createSqliteDialect(file: string, room?: DiskRoom): Dialect {
  return {
    createDriver: () => new NodeSqliteDriver(file, room),
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

class NodeSqliteDriver implements Driver {
  readonly #file: string;
  readonly #room: DiskRoom | undefined;
  #connection: NodeSqliteConnection | undefined;

  constructor(file: string, room: DiskRoom | undefined) {
    this.#room = room;
    this.#file = file;
  }

  async init(): Promise<void> {
    writeFileSync(this.#file, '', { flag: 'a', mode: 0o600 }); // SQLite would make it readable to others.
    this.#connection = await whileBusy(() => new NodeSqliteConnection(openDatabase(this.#file), this.#room));
  }

  /** There is one connection; Kysely hands it to one user at a time. */
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection!;
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  /** Some failures, such as a full disk, have ended the transaction already; rolling back then would hide them. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection?.isInTransaction === false) return;
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async savepoint(connection: DatabaseConnection, name: string, compile: QueryCompiler['compileQuery']): Promise<void> {
    await connection.executeQuery(compile(savepointCommand('savepoint', name), createQueryId()));
  }

  async rollbackToSavepoint(
    connection: DatabaseConnection,
    name: string,
    compile: QueryCompiler['compileQuery'],
  ): Promise<void> {
    await connection.executeQuery(compile(savepointCommand('rollback to', name), createQueryId()));
  }

  async releaseSavepoint(
    connection: DatabaseConnection,
    name: string,
    compile: QueryCompiler['compileQuery'],
  ): Promise<void> {
    await connection.executeQuery(compile(savepointCommand('release', name), createQueryId()));
  }

  async destroy(): Promise<void> {
    this.#connection?.close();
  }
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, { statement: StatementSync; isReader: boolean }>();

  readonly #room: DiskRoom | undefined;

  constructor(database: DatabaseSync, room: DiskRoom | undefined) {
    this.#database = database;
    this.#room = room;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const inputs = toInputs(parameters);
    try {
      return await whileBusy(() => {
        const { statement, isReader } = this.#prepare(sql);
        if (isReader) return { rows: statement.all(...inputs) as Row[] };
        const { changes, lastInsertRowid } = statement.run(...inputs);
        return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
      });
    } catch (error) {
      throw this.#isForWantOfRoom(error) ? diskFullError(error) : toStoreFailure(error);
    }
  }

  /** Where a quota is reached, SQLite says no more than that it could not write. */
  #isForWantOfRoom(error: unknown): boolean {
    if (isFullDisk(error)) this.#room?.noteFailed();
    if (resultOf(error) !== SQLITE_IOERR) return false;
    this.#room?.noteFailed();
    return this.#room?.isFull() === true;
  }

  /** A statement that is being stepped through cannot be used for anything else, so this one is not a kept one. */
  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    for (const row of this.#database.prepare(sql).iterate(...toInputs(parameters))) yield { rows: [row as Row] };
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  close(): void {
    this.#prepared.clear();
    this.#database.close();
  }

  #prepare(sql: string): { statement: StatementSync; isReader: boolean } {
    const kept = this.#prepared.get(sql);
    if (kept !== undefined) return kept;
    const statement = this.#database.prepare(sql);
    const prepared = { statement, isReader: statement.columns().length > 0 };
    if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear();
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma temp_store = memory;');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A busy statement has done nothing, so it can be asked again. */
async function whileBusy<Result>(attempt: () => Result): Promise<Result> {
  const deadline = performance.now() + BUSY_LIMIT_MS;
  for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await delay(wait);
  }
}

function isBusy(error: unknown): boolean {
  return resultOf(error) === SQLITE_BUSY;
}

/** SQLite's word for what happened, without its details. */
function resultOf(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}

function toInputs(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => (typeof value === 'boolean' ? Number(value) : (value as SQLInputValue)));
}

function savepointCommand(command: string, name: string): RawNode {
  return RawNode.createWithChildren([RawNode.createWithSql(`${command} `), IdentifierNode.create(name)]);
}
