// Appends to an outbox until it is killed, and tells each number that was kept.
import { writeSync } from 'node:fs';
import type { OutboxRecord } from '@dragoman/protocol';
import { SILENT_LOG } from '../runner-log.ts';
import { Outbox } from './outbox.ts';

const [folder = '', from = '0'] = process.argv.slice(2);
const outbox = new Outbox(folder, SILENT_LOG, { segmentBytes: 20_000, memoryBytes: 10_000 });
const filling = 'x'.repeat(5_000);
for (let at = Number(from); ; at++) {
  const delta = at % 7 === 0 ? `${at} ${filling}` : `${at}`;
  const record: OutboxRecord = { sessionId: 'ses_1', at, event: { type: 'block-delta', blockId: 'b', delta } };
  // Two records at once are kept both or not at all.
  if (at % 5 === 0) outbox.append([record, { handled: at }]);
  else outbox.append([record]);
  writeSync(1, `${at}\n`);
}
