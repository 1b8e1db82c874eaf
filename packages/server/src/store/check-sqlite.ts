import { DragomanError } from '@dragoman/protocol';

/** What of SQLite is asked for; a test hands in one that lacks something. */
interface Sqlite {
  DatabaseSync: new (file: string) => { exec(sql: string): void; close(): void };
}

/**
 * Looks whether the SQLite inside this Node can search texts (FTS5), before anything is written with it. Programs that
 * bring a Node of their own, such as editors, have been built without. One that lacks SQLite altogether does not get
 * here: modules that need it cannot be loaded, which the command line explains.
 */
export function checkSqlite(sqlite: Sqlite | undefined = process.getBuiltinModule('node:sqlite')): void {
  try {
    if (sqlite === undefined) throw new Error('there is no module node:sqlite');
    const probe = new sqlite.DatabaseSync(':memory:');
    try {
      probe.exec('create virtual table probe using fts5 (words)');
    } finally {
      probe.close();
    }
  } catch (error) {
    throw new DragomanError(
      'database-unreachable',
      `The SQLite inside ${describeHost()} cannot search texts (${error instanceof Error ? error.message : String(error)}), and Dragoman keeps its data in SQLite with FTS5. Start it with Node 24 or newer from nodejs.org, or set DRAGOMAN_DATABASE_URL to a PostgreSQL.`,
      { cause: error },
    );
  }
}

/** Which Node this is, and whose. */
function describeHost({ node, electron }: NodeJS.ProcessVersions = process.versions): string {
  return `Node ${node} (${electron === undefined ? process.execPath : `of Electron ${electron}, ${process.execPath}`})`;
}
