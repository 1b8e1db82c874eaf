import { once } from 'node:events';
import { connect } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { endStalledReaders } from './stalled-reader.ts';

test('a connection whose reader takes nothing of a large answer is ended', async () => {
  const door = fastify();
  onTestFinished(() => door.close());
  endStalledReaders(door, 100);
  const ends: Promise<boolean>[] = [];
  door.get('/', (_request, { raw }) => {
    ends.push(once(raw, 'close').then(() => raw.writableFinished));
    return 'x'.repeat(50_000_000);
  });
  const url = await door.listen({ host: '127.0.0.1', port: 0 });

  const stalled = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void stalled.destroy());
  stalled.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await expect.poll(() => ends.length).toBe(1);
  expect(await ends[0]).toBe(false);
});
