import { expect, test } from 'vitest';
import type { ApiRoute } from '../api/api-route.ts';
import { json, scriptedServer } from '../hub/scripted-server.fixture.ts';
import * as ROUTES from '../routes.ts';
import { createConsoleClient } from './console-client.ts';

test('the client of the console has a method for every call of every room', () => {
  const client = createConsoleClient({ url: 'http://hub' });
  const calls = Object.values(ROUTES).flatMap((table) => Object.entries<ApiRoute>(table));
  const missing = calls.filter(
    ([name, { answers }]) => answers !== 'events' && !name.startsWith('runner') && !(name in client),
  );
  expect(missing).toEqual([]);
});

test('what stands in a path is taken from the input, the rest is the body', async () => {
  const server = scriptedServer(() => json({ places: [], tookMs: 1, files: 0 }));
  const client = createConsoleClient({ url: '', fetch: server.fetch });
  await client.searchCode({ workspaceId: 'w/1', question: 'where?' });
  expect(server.seen).toMatchObject([{ call: 'POST /api/workspaces/w%2F1/search', body: { question: 'where?' } }]);
});
