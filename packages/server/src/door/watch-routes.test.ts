import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { Metrics } from '../watch/metrics.ts';
import { watchRoutes } from './watch-routes.ts';

test('health proves to a challenge that this is the server of its lock, and to nothing else', async () => {
  const door = Fastify();
  const prove = (challenge: string) => `proof of ${challenge}`;
  watchRoutes(door, { version: '1.2.3', startedAt: 1, prove, pingStore: async () => {} }, new Metrics());
  const proofFor = async (query: string) => (await door.inject(`/health${query}`)).json<{ proof?: string }>().proof;

  expect(await proofFor('?challenge=0123456789abcdef')).toBe('proof of 0123456789abcdef');
  const none = ['', '?challenge=', '?challenge=short', `?challenge=${'x'.repeat(200)}`, '?challenge=a&challenge=b'];
  for (const query of none) expect(await proofFor(query)).toBeUndefined();
});

test('health tells how much usage waits for the database, and nothing of it when none does', async () => {
  const door = Fastify();
  let waiting = 0;
  const facts = { version: '1.2.3', startedAt: 1, usageWaiting: () => waiting, pingStore: async () => {} };
  watchRoutes(door, facts, new Metrics());
  const health = async () => (await door.inject('/health')).json<{ usageWaiting?: number }>().usageWaiting;

  expect(await health()).toBeUndefined();
  waiting = 12;
  expect(await health()).toBe(12);
});

test('health is not well while the disk is full, and says so', async () => {
  const door = Fastify();
  let isFull = true;
  watchRoutes(
    door,
    { version: '1.2.3', startedAt: 1, isDiskFull: async () => isFull, pingStore: async () => {} },
    new Metrics(),
  );
  const health = async () => {
    const answer = await door.inject('/health');
    const { status, isDiskFull } = answer.json<{ status: string; isDiskFull?: boolean }>();
    return [answer.statusCode, status, isDiskFull];
  };

  expect(await health()).toEqual([503, 'the disk is full', true]);
  isFull = false;
  expect(await health()).toEqual([200, 'ok', undefined]);
});
