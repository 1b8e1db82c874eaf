import { expect, test } from 'vitest';
import { checkSqlite } from './check-sqlite.ts';

const sentence = (reason: string) =>
  `The SQLite inside Node ${process.versions.node} (${process.execPath}) cannot search texts (${reason}), and Dragoman keeps its data in SQLite with FTS5. Start it with Node 24 or newer from nodejs.org, or set DRAGOMAN_DATABASE_URL to a PostgreSQL.`;

test('the SQLite of this Node can search texts', () => {
  expect(() => checkSqlite()).not.toThrow();
});

test('one without FTS5 is refused by a sentence that names the Node and what to do, and is closed', () => {
  let isClosed = false;
  class DatabaseSync {
    exec(sql: string): void {
      throw new Error(`no such module: ${/using (\w+)/.exec(sql)![1]}`);
    }
    close(): void {
      isClosed = true;
    }
  }

  expect(() => checkSqlite({ DatabaseSync })).toThrow(sentence('no such module: fts5'));
  expect(isClosed).toBe(true);
});
