import { serveDragoman, startPostgres } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';

test('while the database is away no stream is begun, whichever token asks for it', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const env = {
    DRAGOMAN_DATABASE_URL: `${postgres.baseUrl}/postgres`,
    DRAGOMAN_TOKEN: 'a-token-of-this-process-alone',
  };
  const server = await serveDragoman([], { env });
  const statusOf = async (path: string, token: string) => {
    const ending = new AbortController();
    const { status } = await fetch(server.url + path, {
      headers: { authorization: `Bearer ${token}` },
      signal: ending.signal,
    });
    ending.abort();
    return status;
  };
  const statuses = async () => {
    const found: Record<string, number> = {};
    for (const path of ['/api/changes', '/api/live?lists=true', '/api/live?sessions=ses_1.0', '/api/sessions'])
      found[path] = await statusOf(path, env.DRAGOMAN_TOKEN);
    return found;
  };
  expect(new Set(Object.values(await statuses()))).toEqual(new Set([200]));

  await postgres.halt();

  expect(await statuses()).toEqual({
    '/api/changes': 503,
    '/api/live?lists=true': 503,
    '/api/live?sessions=ses_1.0': 503,
    '/api/sessions': 503,
  });
  await postgres.resume();
});
