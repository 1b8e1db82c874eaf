import { connect } from 'node:net';
import { openTestDoor } from '@dragoman/testkit';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { callerOf } from './route-config.ts';

const NO_HEADER = { headers: { authorization: 'none' } };

function room(door: FastifyInstance): void {
  const forModels = { config: { access: 'models' } } as const;
  door.get('/api/tags', forModels, (request) => ({
    token: callerOf(request).tokenName,
    query: request.query,
    told: [request.url, request.originalUrl, request.raw.url],
  }));
  door.get('/token', forModels, () => 'root');
  door.get('/list', { config: { access: 'any-token' } }, () => ({}));
  door.get('/page', { config: { access: 'public' } }, () => 'open to all');
  door.get('/for-viewers', { config: { access: 'viewer' } }, () => ({}));
  door.get('/fails', forModels, (request) => {
    throw new Error(`failed at ${request.originalUrl}`);
  });
}

test('a token in the address lets a client in that can send no header', async () => {
  const { call, tokenOf } = await openTestDoor({}, room);

  const { status, body } = await call(`/token/${tokenOf.models}/api/tags?a=/b`, NO_HEADER);

  expect(status).toBe(200);
  expect(body).toEqual({
    token: 'models token',
    query: { a: '/b' },
    told: ['/api/tags?a=/b', '/api/tags?a=/b', '/api/tags?a=/b'],
  });
});

test('the token in the address counts, whatever else the client sends', async () => {
  const { call, tokenOf } = await openTestDoor({}, room);

  const headers = { authorization: 'Bearer ollama', 'x-api-key': 'none', cookie: 'dragoman_login=x' };
  expect((await call(`/token/${tokenOf.models}/api/tags`, { headers })).status).toBe(200);
  const admin = { headers: { authorization: `Bearer ${tokenOf.admin}` } };
  expect((await call(`/token/${tokenOf.models}/for-viewers`, admin)).status).toBe(403);
});

test('an address that ends with its token leads to one place, with and without a slash', async () => {
  const { call, tokenOf } = await openTestDoor({}, room);

  for (const end of ['', '/', '?a=/', '/?a=/'])
    expect((await call(`/token/${tokenOf.models}${end}`, NO_HEADER)).text).toBe('root');
});

test('an address takes only tokens of the role models, also to what is open to all', async () => {
  const { call, tokenOf } = await openTestDoor({}, room);

  for (const role of ['viewer', 'member', 'admin'] as const) {
    const { status, body } = await call(`/token/${tokenOf[role]}/page`, NO_HEADER);
    expect(status).toBe(403);
    expect(body.error?.message).toBe(
      `A token in the URL must have the role models, which can only call models; "${role} token" has the role ${role}. Create one with: dragoman token create NAME --role models`,
    );
  }
});

test('behind the token are the routes for models and nothing else', async () => {
  const { call, tokenOf } = await openTestDoor({}, room);
  const answers: Record<string, number> = {};
  for (const path of ['/list', '/page', '/for-viewers', '/health', '/metrics', '/api/me', '/nowhere'])
    answers[path] = (await call(`/token/${tokenOf.models}${path}`, NO_HEADER)).status;

  expect(answers).toEqual({
    '/list': 200,
    '/page': 403,
    '/for-viewers': 403,
    '/health': 403,
    '/metrics': 403,
    '/api/me': 403,
    '/nowhere': 404,
  });
});

test('a wrong token in the address is refused as one in a header is, and too many are held back', async () => {
  const { call, url } = await openTestDoor({}, room);
  const address = `/token/DGM_${'A'.repeat(40)}/api/tags`;

  const { status, headers, body } = await call(address, NO_HEADER);
  const enough = new AbortController();
  const guesses = Array.from({ length: 300 }, async () => {
    const guess = await fetch(url + address, { signal: enough.signal });
    if (guess.status !== 429) throw new Error(`${guess.status}`);
  });
  await Promise.any(guesses);
  enough.abort();

  expect(status).toBe(401);
  expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  expect(body.error?.message).toBe('Unknown token. Create one with: dragoman token create NAME');
});

test('the token of an address is in no log line, no measurement and no answer', async () => {
  const { call, url, tokenOf, logged } = await openTestDoor({}, room);
  const token = tokenOf.models;
  const secret = token.slice(4);
  const told: string[] = [];
  for (const path of [
    '/api/tags',
    '/nowhere',
    '/for-viewers',
    '/fails',
    '/%zz',
    '',
    '/token/x',
    `/token/${token}/api/tags`,
    `/v1/${token}`,
    `?x=${'y'.repeat(20)}`,
  ])
    told.push((await call(`/token/${token}${path}`, NO_HEADER)).text);
  told.push((await call(`/token/${tokenOf.admin}/api/tags`, NO_HEADER)).text);
  for (const target of [`${url}/token/${token}/api/tags`, `/TOKEN/${token}/nowhere`]) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.end(`GET ${target} HTTP/1.1\r\nhost: ${new URL(url).host}\r\nconnection: close\r\n\r\n`);
    told.push(Buffer.concat(await socket.toArray()).toString());
  }
  told.push((await call('/metrics')).text);

  expect(told.at(-3)).toContain('HTTP/1.1 200');
  expect(logged.length).toBeGreaterThan(8);
  for (const hidden of [secret, tokenOf.admin.slice(4)]) {
    expect(JSON.stringify(logged)).not.toContain(hidden);
    expect(told.join('\n')).not.toContain(hidden);
  }
});

test('whatever stands behind the token, an address never reaches what is not for models', async () => {
  const { door, tokenOf } = await openTestDoor({}, room);
  const piece = fc.constantFrom(
    '/',
    '//',
    '.',
    '..',
    '%2e',
    '%2F',
    'token',
    'page',
    'for-viewers',
    'health',
    '?',
    '#',
    '\\',
    tokenOf.admin,
  );

  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
      const url = `/token/${tokenOf.models}/${pieces.join('')}`;
      const { statusCode, body } = await door.inject({
        url: encodeURI(decodeURI(url)),
        headers: { host: '127.0.0.1' },
      });
      expect(body).not.toContain('open to all');
      expect([400, 401, 403, 404, 'root']).toContain(statusCode === 200 ? body : statusCode);
    }),
  );
});
