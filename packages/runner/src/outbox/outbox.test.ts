import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OutboxRecord } from '@dragoman/protocol';
import { fillDisk, mountSmallDisk, rounds, tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT_LOG } from '../runner-log.ts';
import { Outbox } from './outbox.ts';

const record = (at: number, delta = `${at}`): OutboxRecord => ({
  sessionId: 'ses_1',
  at,
  event: { type: 'block-delta', blockId: 'b', delta },
});
const small = { segmentBytes: 2_000, memoryBytes: 1_000 };
const open = (folder: string) => new Outbox(folder, SILENT_LOG, small);
const segments = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.jsonl'));

/** Everything that waits, as one list with its first number. */
function waiting(outbox: Outbox): { first: number; records: OutboxRecord[] } {
  const records: OutboxRecord[] = [];
  const first = outbox.read(10, 1_000)?.first ?? outbox.last + 1;
  for (let batch = outbox.read(10, 1_000); batch !== undefined; batch = outbox.read(10, 1_000)) {
    expect(batch.first).toBe(first + records.length);
    records.push(...batch.records);
    outbox.ack(batch.first + batch.records.length - 1);
  }
  return { first, records };
}

test('what was appended is given in order, once, whatever is acknowledged and reopened in between', () => {
  const step = fc.oneof(
    fc.record({ type: fc.constant('append' as const), count: fc.integer({ min: 1, max: 4 }), length: fc.nat(900) }),
    fc.record({ type: fc.constant('send' as const), records: fc.integer({ min: 1, max: 20 }) }),
    fc.constant({ type: 'reopen' as const }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const folder = tempFolder();
      let outbox = open(folder);
      const { outboxId } = outbox;
      const appended: OutboxRecord[] = [];
      const sent: OutboxRecord[] = [];
      const firsts: number[] = [];
      const renewals: boolean[] = [];
      for (const one of steps) {
        if (one.type === 'append') {
          const records = Array.from({ length: one.count }, (_, index) =>
            record(appended.length + index, 'x'.repeat(one.length)),
          );
          outbox.append(records);
          appended.push(...records);
        } else if (one.type === 'send') {
          const batch = outbox.read(one.records, 3_000);
          if (batch === undefined) continue;
          firsts.push(batch.first - sent.length);
          sent.push(...batch.records);
          outbox.ack(sent.length);
        } else {
          outbox.close();
          outbox = open(folder);
          renewals.push(outbox.agree(sent.length));
        }
      }
      sent.push(...waiting(outbox).records);
      outbox.close();

      expect(outbox.outboxId).toBe(outboxId);
      expect(firsts.every((first) => first === 1)).toBe(true);
      expect(renewals).not.toContain(true);
      expect(sent).toEqual(appended);
    }),
    { seed: 11, numRuns: rounds(2_000) },
  );
});

test('files of what the hub has are removed, and numbers go on', () => {
  const folder = tempFolder();
  let outbox = open(folder);
  for (let at = 1; at <= 100; at++) outbox.append([record(at, 'x'.repeat(100))]);
  expect(segments(folder).length).toBeGreaterThan(5);
  outbox.ack(100);
  outbox.close();
  outbox = open(folder);
  expect(segments(folder)).toEqual(['000000000000101.jsonl']);
  outbox.append([record(101)]);

  expect(outbox.read(10, 1_000)).toEqual({ outboxId: outbox.outboxId, first: 101, records: [record(101)] });
  outbox.close();
});

test('a line that was cut short at the end is left out, and its number is given anew', () => {
  const folder = tempFolder();
  let outbox = open(folder);
  outbox.append([record(1), { handled: 1 }]);
  outbox.close();
  appendFileSync(join(folder, segments(folder)[0]!), '[3,{"sessionId":"ses_1","at":3,"ev');
  outbox = open(folder);
  outbox.append([record(3, 'again')]);

  expect(waiting(outbox)).toEqual({ first: 1, records: [record(1), { handled: 1 }, record(3, 'again')] });
  outbox.close();
});

test('a line that was damaged in the middle costs its own records only', () => {
  const folder = tempFolder();
  let outbox = open(folder);
  for (let at = 1; at <= 4; at++) outbox.append([record(at)]);
  outbox.close();
  const file = join(folder, segments(folder)[0]!);
  const lines = readFileSync(file, 'utf8').split('\n');
  lines[1] = '\0'.repeat(lines[1]!.length);
  writeFileSync(file, lines.join('\n'));
  outbox = open(folder);

  expect(waiting(outbox).records).toEqual([record(1), null, record(3), record(4)]);
  outbox.close();
});

test('a record that cannot be written as JSON is refused and leaves no trace', () => {
  const outbox = open(tempFolder());
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;

  expect(() => outbox.append([record(1), circle as unknown as OutboxRecord])).toThrow('circular');
  outbox.append([record(2)]);

  expect(waiting(outbox)).toEqual({ first: 1, records: [record(2)] });
  outbox.close();
});

test('a second process is told who holds the outbox', () => {
  const folder = tempFolder();
  const outbox = open(folder);

  expect(() => open(folder)).toThrow(
    new RegExp(`${folder} is in use by process ${process.pid} since \\S+; stop that one, or give this runner`),
  );
  outbox.close();
  open(folder).close();
});

test('when the hub has more than this disk, or less than was acknowledged, counting begins anew under another name', () => {
  const folder = tempFolder();
  const outbox = open(folder);
  const first = outbox.outboxId;
  outbox.append([record(1), record(2)]);
  expect(outbox.agree(7)).toBe(true);
  const second = outbox.outboxId;
  expect(second).not.toBe(first);
  expect(outbox.read(10, 1_000)).toBeUndefined();

  for (let at = 1; at <= 50; at++) outbox.append([record(at, 'x'.repeat(100))]);
  outbox.ack(40);
  expect(outbox.agree(0)).toBe(true);
  expect(outbox.outboxId).not.toBe(second);
  outbox.close();
  const reopened = open(folder);
  expect(reopened.outboxId).toBe(outbox.outboxId);
  expect(reopened.agree(0)).toBe(false);
  const { records } = waiting(reopened);
  expect(records.slice(-10)).toEqual(Array.from({ length: 10 }, (_, index) => record(index + 41, 'x'.repeat(100))));
  reopened.close();
});

test('a full disk refuses the record, keeps the others, and takes more when there is room (needs the right to mount)', ({
  skip,
}) => {
  const disk = tempFolder();
  if (!mountSmallDisk(disk, 1)) skip('small disks cannot be made here');
  const outbox = new Outbox(join(disk, 'outbox'), SILENT_LOG);
  outbox.append([record(1)]);
  const makeRoom = fillDisk(disk, 0);

  expect(() => outbox.append([record(2, 'x'.repeat(100_000))])).toThrow(
    `nothing can be kept in ${join(disk, 'outbox')}: the disk is full; make room`,
  );
  makeRoom();
  outbox.append([record(3)]);

  expect(waiting(outbox)).toEqual({ first: 1, records: [record(1), record(3)] });
  outbox.close();
});

test('every record that was kept is there after a kill, in order and once', { timeout: 900_000 }, async () => {
  for (let round = 0; round < rounds(50); round++) {
    const folder = tempFolder();
    let next = 0;
    for (let kills = 0; kills < 4; kills++) {
      const told = await appendUntilKilled(folder, next, 20 + ((round * 37 + kills * 61) % 300));
      const outbox = new Outbox(folder, SILENT_LOG);
      const kept = outbox.last;
      outbox.close();
      // Records are numbered by two at every fifth step.
      next = told + 1;
      expect(kept).toBeGreaterThanOrEqual(next + Math.ceil(next / 5));
      const surplus = kept - (next + Math.ceil(next / 5));
      if (surplus > 0) next += 1; // The last one was kept, but the kill came before it was told.
    }
    const outbox = new Outbox(folder, SILENT_LOG);
    const expected = Array.from({ length: next }, (_, at) => at);
    const { records } = waiting(outbox);
    outbox.close();

    expect(records.flatMap((one) => ('event' in one ? [one.at] : []))).toEqual(expected);
    expect(records.flatMap((one) => ('handled' in one ? [one.handled] : []))).toEqual(
      expected.filter((at) => at % 5 === 0),
    );
  }
});

/** Runs a process that appends, and kills it after so many lines; the last number it told is the answer. */
async function appendUntilKilled(folder: string, from: number, lines: number): Promise<number> {
  const program = join(import.meta.dirname, 'outbox-writer.fixture.ts');
  const child = spawn(process.execPath, ['--conditions=@dragoman/source', program, folder, `${from}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    if (text.split('\n').length > lines) child.kill('SIGKILL');
  });
  await once(child, 'close');
  const told = text.slice(0, text.lastIndexOf('\n')).split('\n');
  return Number(told.at(-1));
}
