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
