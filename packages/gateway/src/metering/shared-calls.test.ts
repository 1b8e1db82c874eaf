import { freshLocation } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openTestGateway } from '../gateway.fixture.ts';
import { gatewayMigrations } from './usage-tables.ts';
import { accessMigrations } from '@dragoman/server';

const soon = { timeout: 60_000, interval: 20 };

test('whichever server on one PostgreSQL is asked, it tells what all of them counted and refused', async () => {
  const location = await freshLocation('postgres', [accessMigrations, gatewayMigrations]);
  const [a, b] = [
    await openTestGateway({}, {}, 'postgres', location),
    await openTestGateway({}, {}, 'postgres', location),
  ];
  const counters = async (server: typeof a) =>
    ((await server.call('/api/gateway')).body as unknown as { counters: Record<string, number> }).counters;
  const post = (model: string) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  });

  await a.call('/v1/chat/completions', post('offline/offline'));
  await b.call('/v1/chat/completions', post('offline/offline'));
  await b.call('/v1/chat/completions', post('nowhere/nothing'));

  for (const server of [a, b])
    await expect.poll(() => counters(server), soon).toMatchObject({ servers: 2, calls: 2, refused: 1 });
  const { requests } = (await a.call('/api/gateway/requests')).body as unknown as { requests: { route: string }[] };
  expect(requests.map(({ route }) => route)).toContain('nowhere/nothing');
  expect((await counters(a))['since']).toBe((await counters(b))['since']);
  await b.door.close();
  await expect.poll(() => counters(a), soon).toMatchObject({ servers: 1, calls: 1, refused: 0 });
});
