import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { readInTurns } from './read-in-turns.ts';

test('all bytes arrive in order, and the end is told after the last of them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1, maxLength: 20_000 }), { maxLength: 8 }), async (chunks) => {
      const heard: Buffer[] = [];
      const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
      const reader = readInTurns(stream, (bytes) => void heard.push(bytes));
      await new Promise<void>((resolve) => stream.on('close', () => reader.finish(resolve)));

      expect(Buffer.concat(heard).equals(Buffer.concat(chunks))).toBe(true);
    }),
    { numRuns: rounds(30) },
  );
});

test('a stream without end lets others have their turn, and nothing is heard of it once it is dropped', async () => {
  let pieces = 0;
  const stream = new Readable({
    read() {
      this.push(Buffer.alloc(64 * 1024));
    },
  });
  onTestFinished(() => void stream.destroy());
  const reader = readInTurns(stream, () => void pieces++);
  while (pieces === 0) await delay(1);
  reader.drop();
  const before = pieces;
  await delay(1);

  expect(pieces).toBe(before);
});
