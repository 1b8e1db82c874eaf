import { expect, expectTypeOf, test } from 'vitest';
import { DragomanError } from '../dragoman-error.ts';
import { createHubClient, type HubClient } from './hub-client.ts';
import { HubError } from './hub-error.ts';
import type { LoggedHubEvent } from './hub-event.ts';
import type { HubFile } from '../api/call-methods.ts';
import type { ApiRoute } from '../api/api-route.ts';
import { HUB_ROUTES } from './hub-routes.ts';
import type { HubSession } from './hub-session.ts';
import { json, type SeenRequest, scriptedServer, silence } from './scripted-server.fixture.ts';

/** A client whose server answers everything with one answer. */
function clientOf(answer: (request: SeenRequest) => Response | Promise<Response>, times = {}) {
  const server = scriptedServer(answer);
  const client = createHubClient({ url: 'http://hub.test/', token: 'secret', fetch: server.fetch, times });
  return { client, seen: server.seen };
}

async function failure(work: Promise<unknown>): Promise<DragomanError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DragomanError);
  return error as DragomanError;
}

test('what stands in the path, in the query and in the body is given as one object', async () => {
  const { client, seen } = clientOf(() => json({}));

  await client.me();
  await client.listSessions({ status: 'running', archived: false, limit: 20, before: undefined });
  await client.readLog({ sessionId: 'ses_1', after: 7 });
  await client.sendPrompt({ sessionId: 'ses_1', text: 'hello', delivery: 'steer' });
  await client.updateSession({ sessionId: 'ses_1', pinned: true });
  await client.withdrawPrompt({ sessionId: 'ses_1', promptId: 'a/b?c' });
  await client.cancelTurn({ sessionId: 'ses_1' });
  await client.search({ q: 'größe & mehr', sessionId: 'ses_1' });

  expect(seen.map(({ call, body }) => [call, body])).toEqual([
    ['GET /api/me', undefined],
    ['GET /api/sessions?status=running&archived=false&limit=20', undefined],
    ['GET /api/sessions/ses_1/log?after=7', undefined],
    ['POST /api/sessions/ses_1/prompts', { text: 'hello', delivery: 'steer' }],
    ['PATCH /api/sessions/ses_1', { pinned: true }],
    ['DELETE /api/sessions/ses_1/prompts/a%2Fb%3Fc', undefined],
    ['POST /api/sessions/ses_1/cancel', {}],
    ['GET /api/search?q=gr%C3%B6%C3%9Fe+%26+mehr&sessionId=ses_1', undefined],
  ]);
});

test('there is a method for every call of a person, and one to follow for every stream', () => {
  const { client } = clientOf(() => json({}));
  const isMethod = ([name, route]: [string, ApiRoute]) => route.answers !== 'events' && !name.startsWith('runner');
  const names = Object.entries<ApiRoute>(HUB_ROUTES)
    .filter(isMethod)
    .map(([name]) => name);
  expect(Object.keys(client).toSorted()).toEqual(
    [...names, 'follow', 'followSession', 'followView', 'followChanges', 'online'].toSorted(),
  );
});

test('a token travels in its header; without one, nothing is sent and the login of the browser counts', async () => {
  const { client, seen } = clientOf(() => json({}));
  await client.me();
  expect(seen[0]!.headers.get('authorization')).toBe('Bearer secret');

  const page = scriptedServer(() => json({}));
  await createHubClient({ url: '', fetch: page.fetch }).me();
  expect(page.seen[0]).toMatchObject({ call: 'GET /api/me' });
  expect(page.seen[0]!.headers.has('authorization')).toBe(false);
});

test('a file comes with its type and the name to save it under', async () => {
  const headers = { 'content-type': 'text/markdown', 'content-disposition': 'attachment; filename="talk.md"' };
  const { client } = clientOf(() => new Response('# Talk', { headers }));
  const file = await client.exportSession({ sessionId: 'ses_1', format: 'markdown' });
  expect({ ...file, bytes: new TextDecoder().decode(file.bytes) }).toEqual({
    bytes: '# Talk',
    mediaType: 'text/markdown',
    name: 'talk.md',
  });
});

test('a refusal has the code, the words and the request id of the server', async () => {
  const { client } = clientOf(() =>
    json({ error: { code: 'conflict', message: 'Ada has decided already.', requestId: 'req_9' } }, 409),
  );
  const error = await failure(client.decideApproval({ sessionId: 's', approvalId: 'a', optionId: 'yes' }));
  expect(error).toBeInstanceOf(HubError);
  expect(error).toMatchObject({
    code: 'conflict',
    message: 'Ada has decided already.',
    requestId: 'req_9',
    isRetryable: false,
  });
});

test('what may pass by itself is told as such, with the time to wait', async () => {
  const busy = { error: { code: 'rate-limited', message: 'Too many calls.', requestId: 'r' } };
  const { client } = clientOf(() => json(busy, 429, { 'retry-after': '3' }));
  expect(await failure(client.me())).toMatchObject({ code: 'rate-limited', isRetryable: true, retryAfterMs: 3_000 });
});

test.each([502, 503, 504])('a proxy that reaches no server and answers %i is told as such', async (status) => {
  const proxy = clientOf(() => new Response('<html>No server is available</html>', { status }));
  expect(await failure(proxy.client.me())).toMatchObject({
    code: status === 504 ? 'timed-out' : 'unavailable',
    isRetryable: true,
    isForeign: true,
    message: `GET /api/me was answered with ${status} by the proxy before the server, which does not reach the server now.`,
  });
});

test('an answer of something else than the server is told by its status', async () => {
  const other = clientOf(() => new Response('<html>Internal error</html>', { status: 500 }));
  expect(await failure(other.client.me())).toMatchObject({
    message: 'GET /api/me was answered with 500, and not by Dragoman; is the address right?',
  });
  const page = clientOf(() => new Response('<html>welcome</html>'));
  expect(await failure(page.client.me())).toMatchObject({
    code: 'unavailable',
    message: 'The call me was not answered with JSON; is the address right?',
  });
});

test('a server that cannot be reached is unavailable, and may be tried again', async () => {
  const refused = new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
  const client = createHubClient({ url: 'http://127.0.0.1:4747', fetch: () => Promise.reject(refused) });
  expect(await failure(client.me())).toMatchObject({
    code: 'unavailable',
    isRetryable: true,
    message: 'The server at http://127.0.0.1:4747 cannot be reached: ECONNREFUSED.',
  });
});

test('a call has a time limit, and ends with its signal or that of the client', async () => {
  const slow = clientOf(silence, { callMs: 20 });
  expect(await failure(slow.client.me())).toMatchObject({
    code: 'timed-out',
    isRetryable: true,
    message: 'The server did not answer me within 20 ms.',
  });

  const one = new AbortController();
  const waiting = failure(clientOf(silence).client.me({}, { signal: one.signal }));
  one.abort();
  expect(await waiting).toMatchObject({ code: 'cancelled', message: 'The call me was cancelled.' });

  const all = createHubClient({ url: '', fetch: scriptedServer(silence).fetch, signal: AbortSignal.abort() });
  expect(await failure(all.me())).toMatchObject({ code: 'cancelled' });
});

test('an id that would lead to another place is refused before it is sent', async () => {
  const { client, seen } = clientOf(() => json({}));
  for (const sessionId of ['', '.', '..'])
    expect(await failure(client.removeSession({ sessionId }))).toMatchObject({
      code: 'bad-request',
      message: `sessionId is "${sessionId}"; /api/sessions/:sessionId needs one.`,
    });
  expect(seen).toEqual([]);
});

test('inputs and answers have the types of the calls', () => {
  expectTypeOf<HubClient['sendPrompt']>().parameter(0).toHaveProperty('sessionId').toEqualTypeOf<string>();
  expectTypeOf<HubClient['sendPrompt']>()
    .parameter(0)
    .toHaveProperty('delivery')
    .toEqualTypeOf<'queue' | 'steer' | undefined>();
  expectTypeOf<HubClient['listSessions']>().parameter(0).exclude<undefined>().toHaveProperty('archived');
  type ListInput = NonNullable<Parameters<HubClient['listSessions']>[0]>;
  expectTypeOf<ListInput['archived']>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<ListInput['limit']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<HubClient['createSession']>().returns.resolves.toEqualTypeOf<HubSession>();
  expectTypeOf<HubClient['readLog']>().returns.resolves.toEqualTypeOf<{ events: LoggedHubEvent[]; seq: number }>();
  expectTypeOf<HubClient['exportSession']>().returns.resolves.toEqualTypeOf<HubFile>();
  expectTypeOf<HubClient>().not.toHaveProperty('runnerHello');
  expectTypeOf<HubClient>().not.toHaveProperty('readEvents');

  const misuse = (client: HubClient) => [
    // @ts-expect-error A session has to be named.
    client.getSession(),
    // @ts-expect-error The agent is missing.
    client.createSession({ folder: '/tmp' }),
    // @ts-expect-error There is no such way to deliver.
    client.sendPrompt({ sessionId: 's', text: 'x', delivery: 'shout' }),
  ];
  expect(misuse).toBeTypeOf('function');
});
