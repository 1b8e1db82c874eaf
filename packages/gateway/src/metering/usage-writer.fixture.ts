// Notes calls in a store whose table is gone, until it is killed, and tells each that was noted.
import { writeSync } from 'node:fs';
import { openStore } from '@dragoman/server/base';
import { usageRecord } from './usage-record.fixture.ts';
import { openCallBook } from './call-book.ts';

const [folder = '', databaseFile = ''] = process.argv.slice(2);
const store = await openStore({ databaseFile, databaseUrl: undefined }, { rooms: [] });
const { usageLog } = openCallBook({ store, folder });
for (let at = 0; ; at++) {
  usageLog.add(usageRecord(at));
  writeSync(1, `${at}\n`);
}
