import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { RoomMigrations } from './migration.ts';
import { openStore, type StoreLocation } from './open-store.ts';

export interface NumberTables {
  numbers: { id: number };
}

export const numbersRoom: RoomMigrations[] = [
  {
    room: 'numbers',
    migrations: [
      {
        number: 1,
        title: 'numbers',
        up: (db, types) =>
          db.schema
            .createTable('numbers')
            .addColumn('id', types.integer, (column) => column.primaryKey())
            .execute(),
      },
    ],
  },
];

// Run as a program: writes numbers, one transaction each, and prints each one once it is stored, until it is killed.
if (argv[1] === fileURLToPath(import.meta.url)) {
  const store = await openStore(JSON.parse(process.env['LOCATION']!) as StoreLocation, { rooms: numbersRoom });
  const db = store.tables<NumberTables>();
  const { length } = await db.selectFrom('numbers').select('id').execute();
  for (let id = length; ; id++) {
    await db.insertInto('numbers').values({ id }).execute();
    process.stdout.write(`${id}\n`);
  }
}
