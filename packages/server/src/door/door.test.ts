import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { DragomanError } from '@dragoman/protocol';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestDoor } from '@dragoman/testkit';
import { parseBody } from './read-body.ts';
import { callerOf } from './route-config.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** A room with a route for each role, one that takes uploads, and one that fails. */
function room(door: FastifyInstance): void {
  door.get('/for-viewers', { config: { access: 'viewer' } }, (request) => ({
    user: callerOf(request).userName,
    role: callerOf(request).role,
  }));
  door.get('/for-models', { config: { access: 'models' } }, () => ({}));
  door.get('/for-any-token', { config: { access: 'any-token' } }, () => ({}));
  door.get('/for-members', { config: { access: 'member' } }, () => ({}));
  door.get('/for-admins', { config: { access: 'admin' } }, () => ({}));
  door.get('/says-nothing', () => ({}));
  door.post('/echo', { config: { access: 'viewer' } }, (request) => ({ length: JSON.stringify(request.body).length }));
  door.post('/upload', { config: { access: 'viewer', body: 'upload' } }, (request) => ({
    length: JSON.stringify(request.body).length,
  }));
  door.post('/named', { config: { access: 'viewer' } }, (request) =>
    parseBody(z.object({ user: z.object({ name: z.string() }) }), request.body),
  );
  door.get('/key-in-query', { config: { access: 'viewer', takesKeyInQuery: true } }, (request) => {
    request.log.info({ seen: [request.url, request.originalUrl, request.raw.url, request.query] });
    return { url: request.url, query: request.query };
  });
  door.get('/fails', { config: { access: 'viewer' } }, () => {
    throw new Error('the details');
  });
}

describe('who may come in', () => {
  test('COMPAT-22 COMPAT-23 both health routes answer 200 with JSON and need no token', async () => {
    const { call } = await openTestDoor();

    for (const path of ['/health', '/gateway/health']) {
      const { status, body } = await call(path, { headers: { authorization: 'none' } });
      expect(status).toBe(200);
      expect(body).toEqual({
        status: 'ok',
        version: '1.2.3',
        startedAt: expect.any(Number),
        uptimeSeconds: expect.any(Number),
      });
    }
  });

  test('every other route needs a token, also one that is not there', async () => {
    const { call } = await openTestDoor({}, room);

    for (const path of ['/for-viewers', '/says-nothing', '/metrics', '/api/me', '/nowhere']) {
      const { status, headers, body } = await call(path, { headers: { authorization: 'none' } });
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe('Bearer');
      expect(body.error).toMatchObject({
        code: 'unauthenticated',
        message: expect.stringContaining('Send a token as "Authorization: Bearer TOKEN"'),
      });
    }
  });

  test('a token is taken from Authorization, x-api-key, api-key and x-goog-api-key', async () => {
    const { call, tokenOf } = await openTestDoor({}, room);

    for (const headers of [
      { authorization: `Bearer ${tokenOf.viewer}` },
      { authorization: `bearer   ${tokenOf.viewer}` },
      { authorization: 'none', 'x-api-key': tokenOf.viewer },
      { authorization: 'none', 'api-key': tokenOf.viewer },
      { authorization: 'none', 'x-goog-api-key': tokenOf.viewer },
    ]) {
      expect((await call('/for-viewers', { headers })).body).toEqual({ user: 'owner', role: 'viewer' });
    }
  });

  test('a key in the address is taken by the routes that say so, and is gone from there when a room sees the request', async () => {
    const { call, tokenOf, logged } = await openTestDoor({}, room);
    const headers = { authorization: 'none' };
    const key = encodeURIComponent(tokenOf.viewer);

    expect((await call(`/key-in-query?key=${key}&alt=sse&q=a%20b`, { headers })).body).toEqual({
      url: '/key-in-query?alt=sse&q=a+b',
      query: { alt: 'sse', q: 'a b' },
    });
    expect((await call(`/key-in-query?key=${key}`, { headers })).body).toEqual({ url: '/key-in-query', query: {} });
    expect((await call(`/key-in-query?key=WRONG&key=${key}`, { headers })).status).toBe(401);
    expect((await call('/key-in-query?key=', { headers })).status).toBe(401);
    expect((await call('/key-in-query', { headers })).body.error?.message).toBe(
      'This request needs a token. Send a token as "Authorization: Bearer TOKEN", "x-api-key", "api-key" or "x-goog-api-key", or as "?key=TOKEN" in the URL. Create one with: dragoman token create NAME',
    );
    expect((await call(`/for-viewers?key=${key}`, { headers })).status).toBe(401);
    expect((await call('/key-in-query?key=WRONG')).body).toEqual({ url: '/key-in-query', query: {} });
    expect(JSON.stringify(logged)).not.toContain(tokenOf.viewer);
    expect(JSON.stringify(logged)).not.toContain('WRONG');
  });

  test('each role reaches its routes and those of the roles below; a route that says nothing is for admins', async () => {
    const { call, tokenOf } = await openTestDoor({}, room);
    const statuses: Record<string, number[]> = {};
    for (const path of ['/for-viewers', '/for-members', '/for-admins', '/says-nothing']) {
      const calls = (['viewer', 'member', 'admin'] as const).map((role) =>
        call(path, { headers: { authorization: `Bearer ${tokenOf[role]}` } }),
      );
      statuses[path] = (await Promise.all(calls)).map(({ status }) => status);
    }

    expect(statuses).toEqual({
      '/for-viewers': [200, 200, 200],
      '/for-members': [403, 200, 200],
      '/for-admins': [403, 403, 200],
      '/says-nothing': [403, 403, 200],
    });
  });

  test('a token for models reaches the routes for models and nothing else, and is told so', async () => {
    const { call, tokenOf } = await openTestDoor({}, room);
    const answers: Record<string, number[]> = {};
    for (const path of ['/for-models', '/for-any-token', '/for-viewers', '/says-nothing', '/api/me', '/metrics'])
      answers[path] = await Promise.all(
        (['models', 'viewer', 'member'] as const).map(
          async (role) => (await call(path, { headers: { authorization: `Bearer ${tokenOf[role]}` } })).status,
        ),
      );
    const { body } = await call('/for-viewers', { headers: { authorization: `Bearer ${tokenOf.models}` } });

    expect(answers).toEqual({
      '/for-models': [200, 403, 200],
      '/for-any-token': [200, 200, 200],
      '/for-viewers': [403, 200, 200],
      '/says-nothing': [403, 403, 403],
      '/api/me': [403, 200, 200],
      '/metrics': [403, 200, 200],
    });
    expect(body.error?.message).toBe(
      'The token "models token" has the role models, so it can only call models. This request does something else.',
    );
  });

  test('a role that is too weak is told which one it takes', async () => {
    const { call, tokenOf } = await openTestDoor({}, room);

    const { body } = await call('/for-admins', { headers: { authorization: `Bearer ${tokenOf.viewer}` } });

    expect(body.error?.message).toBe(
      'This request needs the role admin; the token "viewer token" has the role viewer.',
    );
  });

  test('a wrong, an expired and a revoked token are refused, each with its reason', async () => {
    const { call, tokens } = await openTestDoor({}, room);
    const user = await tokens.openUser('owner', 'admin');
    const expired = await tokens.createToken({
      user,
      name: 'old',
      role: 'viewer',

      expiresAt: Date.parse('2020-02-03'),
    });
    const revoked = await tokens.createToken({ user, name: 'lost', role: 'viewer', expiresAt: null });
    await tokens.revoke('lost');
    const refusal = async (token: string) => {
      const { status, body } = await call('/for-viewers', { headers: { authorization: `Bearer ${token}` } });
      return `${status} ${body.error?.message}`;
    };

    expect(await refusal('DGM_WRONG')).toBe('401 Unknown token. Create one with: dragoman token create NAME');
    expect(await refusal(expired.text)).toBe('401 The token "old" expired on 2020-02-03.');
    expect(await refusal(revoked.text)).toMatch(/^401 The token "lost" was revoked on \d{4}-\d\d-\d\d\.$/);
  });
});

describe('whose requests these are', () => {
  /** The status for a Host header, which fetch would not let us set. */
  async function statusForHost(url: string, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      request(`${url}/health`, { headers: { host } }, (response) => resolve(response.resume().statusCode!))
        .on('error', reject)
        .end();
    });
  }

  test('requests for loopback names, the public address and the address that was reached are answered, others are not', async () => {
    const { url } = await openTestDoor({ publicUrl: 'https://dragoman.example.com' });
    const { port } = new URL(url);
    const statuses: Record<string, number> = {};
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      '[::1]:4747',
      'LOCALHOST',
      'dragoman.example.com',
      'evil.example',
      '127.0.0.1.evil.example',
      '10.0.0.1',
      'localhost.evil.example',
    ]) {
      statuses[host.replace(port, 'PORT')] = await statusForHost(url, host);
    }

    expect(statuses).toEqual({
      '127.0.0.1:PORT': 200,
      'localhost:PORT': 200,
      '[::1]:4747': 200,
      LOCALHOST: 200,
      'dragoman.example.com': 200,
      'evil.example': 421,
      '127.0.0.1.evil.example': 421,
      '10.0.0.1': 421,
      'localhost.evil.example': 421,
    });
  });

  test('no web origin may read answers by default; named ones may, with a token and without cookies', async () => {
    const closed = await openTestDoor({}, room);
    const open = await openTestDoor({ corsOrigins: ['https://app.example/'] }, room);
    const preflight = (origin: string) => ({
      method: 'OPTIONS',
      headers: { authorization: 'none', origin, 'access-control-request-method': 'POST' },
    });

    expect(
      (await closed.call('/echo', preflight('https://app.example'))).headers.get('access-control-allow-origin'),
    ).toBe(null);
    expect(
      (await open.call('/echo', preflight('https://other.example'))).headers.get('access-control-allow-origin'),
    ).toBe(null);
    const { status, headers } = await open.call('/echo', preflight('https://app.example'));
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(headers.get('access-control-allow-credentials')).toBe(null);
    expect(
      (await open.call('/for-viewers', { headers: { origin: 'https://app.example' } })).headers.get(
        'access-control-allow-origin',
      ),
    ).toBe('https://app.example');
  });

  test('an origin that is named while the server runs may read answers from then on', async () => {
    const { call, serverConfig } = await openTestDoor({}, room);
    const ask = async () =>
      (await call('/for-viewers', { headers: { origin: 'https://app.example' } })).headers.get(
        'access-control-allow-origin',
      );
    expect(await ask()).toBe(null);

    serverConfig.corsOrigins = ['https://app.example/'];

    expect(await ask()).toBe('https://app.example');
  });

  test('every answer, an error too, carries the security headers and the request id', async () => {
    const { call } = await openTestDoor({}, room);

    for (const path of ['/health', '/nowhere', '/fails', '/login']) {
      const { headers } = await call(path, { headers: { 'x-request-id': 'abc-1' } });
      expect(headers.get('x-request-id')).toBe('abc-1');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
    }
  });

  test('a request id that is not a plain word is replaced by one of ours', async () => {
    const { call } = await openTestDoor();

    expect((await call('/health', { headers: { 'x-request-id': '{"a":1}' } })).headers.get('x-request-id')).toMatch(
      /^req_[0-9a-z]{26}$/,
    );
    expect((await call('/health')).headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
  });
});

describe('what is sent', () => {
  const post = (body: BodyInit, headers: Record<string, string> = {}) => ({
    method: 'POST',
    body,
    headers: { ...JSON_TYPE, ...headers },
  });

  test('a body that is broken is refused with the place', async () => {
    const { call } = await openTestDoor({}, room);
    const refusal = async (body: string, headers = {}) => {
      const answer = await call('/echo', post(body, headers));
      return `${answer.status} ${answer.body.error?.message}`;
    };

    expect(await refusal('{"a": 1,\n "b": sk-1}')).toBe(
      '400 The body is not valid JSON: line 2, column 7: expected a value; text needs double quotes, found "s".',
    );
    expect(await refusal('')).toBe('400 The body is empty; expected JSON.');
    expect(await refusal('{"a": 1,}')).toBe(
      '400 The body is not valid JSON: line 1, column 9: expected a name in double quotes, found "}".',
    );
    expect(await refusal('a=1', { 'content-type': 'application/x-www-form-urlencoded' })).toBe(
      '415 This request needs a JSON body; send it with "content-type: application/json".',
    );
  });

  test('a body is measured before it is parsed: its depth, its values, its fields and those of each object', async () => {
    const { call } = await openTestDoor({}, room);
    const refusal = async (path: string, body: string) => {
      const answer = await call(path, post(body));
      return `${answer.status} ${answer.body.error?.message}`;
    };
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const list = (length: number) => `[${Array.from({ length }, () => '1').join(',')}]`;
    const fields = (length: number) => `{${Array.from({ length }, (_, number) => `"f${number}":1`).join(',')}}`;

    for (const path of ['/echo', '/upload']) {
      expect(await refusal(path, deep(100))).toBe('200 undefined');
      expect(await refusal(path, deep(101))).toBe(
        '400 The body is nested more than 100 levels deep, the limit for this request.',
      );
      expect(await refusal(path, '['.repeat(200_000))).toBe(
        '400 The body is nested more than 100 levels deep, the limit for this request.',
      );
    }
    expect(await refusal('/echo', list(49_000))).toBe('200 undefined');
    expect(await refusal('/echo', list(51_000))).toBe(
      '413 The body holds more than 50000 values, the limit for this request.',
    );
    expect(await refusal('/upload', list(300_000))).toBe('200 undefined');
    expect(await refusal('/upload', list(310_001))).toBe(
      '413 The body holds more than 310000 values, the limit for this request.',
    );
    expect(await refusal('/echo', fields(20_001))).toBe(
      '413 The body holds more than 20000 fields, the limit for this request.',
    );
    expect(await refusal('/upload', `[${Array(5).fill(fields(20_000)).join(',')}]`)).toBe('200 undefined');
    expect(await refusal('/upload', `[{"x":1},${Array(5).fill(fields(20_000)).join(',')}]`)).toBe(
      '413 The body holds more than 100000 fields, the limit for this request.',
    );
    expect(await refusal('/upload', `[${fields(20_001)}]`)).toBe(
      '413 The body holds an object with more than 20000 fields, the limit for this request.',
    );
  });

  test('the place of a mistake is told in a body of ordinary length; a very long one is only called broken', async () => {
    const { call } = await openTestDoor({}, room);
    const refusal = async (body: string) => (await call('/echo', post(body))).body.error?.message;

    expect(await refusal(`[${'\n'.repeat(1_000)}x`)).toBe(
      'The body is not valid JSON: line 1001, column 1: expected a value; text needs double quotes, found "x".',
    );
    for (const long of [`[\n${'x\n'.repeat(50_000)}`, `${'\n'.repeat(100_000)}x`, `"${'\\'.repeat(100_001)}`])
      expect(await refusal(long)).toBe('The body is not valid JSON.');
  });

  test('checking ends at the first mistake, and a list that is too long is not looked into', () => {
    let checked = 0;
    const item = z.string().refine(() => ++checked > 0);
    const schema = z.object({ list: z.array(item).max(1_000), either: z.union([z.array(item), z.null()]).optional() });
    const check = (body: unknown) => {
      checked = 0;
      expect(() => parseBody(schema, body)).toThrow(DragomanError);
      return checked;
    };

    expect(check({ list: ['a', 'b', 7, ...Array<string>(900).fill('c')] })).toBe(2);
    expect(check({ list: Array<string>(1_001).fill('a') })).toBe(0);
    expect(check({ list: [], either: ['a', 7, ...Array<string>(900).fill('c')] })).toBe(1);
    expect(() => parseBody(schema, { list: Array<number>(5).fill(7) })).toThrow(
      'list.0: Invalid input: expected string, received number',
    );
  });

  test('a message about a mistake stays short, whatever the names of the fields', async () => {
    const strict = (door: FastifyInstance) =>
      void door.post('/strict', { config: { access: 'viewer' } }, ({ body }) => parseBody(z.strictObject({}), body));
    const { call } = await openTestDoor({}, strict);

    const { body } = await call('/strict', post(JSON.stringify({ ['long'.repeat(100_000)]: 1 })));

    expect(body.error!.message).toMatch(/^the body: Unrecognized key: "long/);
    expect(body.error!.message).toHaveLength(500);
  });

  test('who shows no token may send 1 KiB, and nothing packed, on every public route', async () => {
    const { call } = await openTestDoor({}, (door) =>
      door.post('/open', { config: { access: 'public' } }, (request) => ({
        length: JSON.stringify(request.body).length,
      })),
    );
    const nobody = { authorization: 'none' };
    const code = (length: number) => JSON.stringify({ code: 'x'.repeat(length - 11) });

    for (const path of ['/open', '/api/login']) {
      expect([200, 401]).toContain((await call(path, post(code(150), nobody))).status);
      expect((await call(path, post(code(1025), nobody))).body.error?.message).toBe(
        'The body is larger than 1024 bytes, the limit for this request.',
      );
      for (const encoding of ['gzip', 'br', 'deflate', 'GZIP'])
        expect(
          (await call(path, post(gzipSync(code(150)), { ...nobody, 'content-encoding': encoding }))).body.error,
        ).toMatchObject({
          code: 'unsupported-media',
          message: 'This request needs a plain body, without a content-encoding.',
        });
    }
    expect((await call('/open', post(code(1024), nobody))).body).toEqual({ length: 1024 });
  });

  test('a field that is missing or of the wrong type is named', async () => {
    const { call } = await openTestDoor({}, room);

    expect((await call('/named', post('{"user":{"name":7}}'))).body.error?.message).toBe(
      'user.name: Invalid input: expected string, received number',
    );
    expect((await call('/named', post('{"user":{"name":"ann"}}'))).body).toEqual({ user: { name: 'ann' } });
  });

  test('a body over the limit is refused; uploads have a limit of their own', async () => {
    const { call } = await openTestDoor({ bodyLimits: { apiBytes: 2000, uploadBytes: 4000 } }, room);
    const text = (length: number) => JSON.stringify('x'.repeat(length - 2));

    expect((await call('/echo', post(text(2000)))).body).toEqual({ length: 2000 });
    expect((await call('/upload', post(text(4000)))).body).toEqual({ length: 4000 });
    const refused = await call('/echo', post(text(2001)));
    expect(refused.status).toBe(413);
    expect(refused.body.error).toMatchObject({
      code: 'too-large',
      message: 'The body is larger than 2000 bytes, the limit for this request.',
    });
    expect((await call('/upload', post(text(4001)))).status).toBe(413);
  });

  test('a gzip body is unpacked, and the limit holds for what comes out', async () => {
    const { call } = await openTestDoor({ bodyLimits: { apiBytes: 100_000 } }, room);
    const packed = (value: unknown) => post(gzipSync(JSON.stringify(value)), { 'content-encoding': 'gzip' });

    expect((await call('/echo', packed('x'.repeat(50_000)))).body).toEqual({ length: 50_002 });
    const bomb = await call('/echo', packed('x'.repeat(50_000_000)));
    expect(bomb.status).toBe(413);
    expect(bomb.body.error?.message).toBe('The body is larger than 100000 bytes, the limit for this request.');
  });

  test('packed bytes without an end, out of which nothing comes, are refused at the limit', async () => {
    const { url, tokenOf } = await openTestDoor({ bodyLimits: { apiBytes: 2000 } }, room);
    const authorization = `Bearer ${tokenOf.viewer}`;
    const sent = request(`${url}/echo`, {
      method: 'POST',
      headers: { ...JSON_TYPE, 'content-encoding': 'gzip', authorization },
    });
    const answer = new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
    sent.on('error', () => {}); // It is still sending when the answer comes.
    const nothing = gzipSync('');
    const send = () => void sent.write(nothing, (error) => error ?? setImmediate(send));
    send();

    expect((await answer).statusCode).toBe(413);
    sent.destroy();
  });

  test('a body that is not gzip, or cut short, or packed in another way is refused', async () => {
    const { call } = await openTestDoor({}, room);
    const gzip = { 'content-encoding': 'gzip' };
    const refusal = async (body: BodyInit, headers: Record<string, string>) => {
      const answer = await call('/echo', post(body, headers));
      return `${answer.status} ${answer.body.error?.message}`;
    };

    expect(await refusal('{"a":1}', gzip)).toBe('400 The body is not valid gzip.');
    expect(await refusal(gzipSync('{"a":1}').subarray(0, 15), gzip)).toBe('400 The body is not valid gzip.');
    expect(await refusal('x', { 'content-encoding': 'br' })).toBe(
      '415 The content-encoding "br" is not supported; send the body uncompressed or as gzip.',
    );
  });

  test('an address that is broken is refused like any other request: named, guarded and logged', async () => {
    const { url, logged } = await openTestDoor();
    const broken = (host: string) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        request(url, { path: '/%ff', headers: { host } }, (response) => resolve(response.resume()))
          .on('error', reject)
          .end();
      });

    const response = await broken('localhost');
    expect(response.statusCode).toBe(400);
    expect(response.headers['x-request-id']).toMatch(/^req_/);
    expect(response.headers['x-frame-options']).toBe('DENY');
    expect((await broken('evil.example')).statusCode).toBe(421);
    expect(logged.map((line) => `${String(line['route'])} ${String(line['status'])}`)).toEqual([
      '(no route) 400',
      '(no route) 421',
    ]);
  });

  test('a path that nobody serves is named in the answer', async () => {
    const { call } = await openTestDoor();

    const { status, body } = await call('/no/such/path?key=secret');

    expect(status).toBe(404);
    expect(body.error).toEqual({
      code: 'not-found',
      message: 'There is nothing at GET /no/such/path.',
      requestId: expect.any(String),
    });
  });

  test('what went wrong inside stays inside: the answer has the request id, the log has the rest', async () => {
    const { call, logged } = await openTestDoor({}, room);

    const { status, body } = await call('/fails', { headers: { 'x-request-id': 'find-me' } });

    expect(status).toBe(500);
    expect(body.error).toEqual({
      code: 'internal',
      message: 'Internal server error. See the server log for this request ID.',
      requestId: 'find-me',
    });
    expect(logged.find((line) => line['msg'] === 'a request failed')).toMatchObject({
      requestId: 'find-me',
      err: { message: 'the details' },
    });
  });
});

describe('connections', () => {
  /** Sends raw bytes and gives back all that comes until the other side ends the connection. */
  async function converse(url: string, bytes: string): Promise<string> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(bytes);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer;
  }

  test('a request of a load balancer that names no host at all is answered, and one that names an empty host is not', async () => {
    const { url } = await openTestDoor();

    expect(await converse(url, 'GET /health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(await converse(url, 'GET /health HTTP/1.0\r\nhost: \r\n\r\n')).toMatch(/^HTTP\/1\.1 421 /);
    expect(await converse(url, 'GET /health HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('headers that do not come to an end are answered 408 and the connection is closed', async () => {
    const { url } = await openTestDoor({ timeouts: { headersMs: 100 } });

    const answer = await converse(url, 'GET /health HTTP/1.1\r\nhost: localhost\r\nx-slow: ');

    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('{"error":{"code":"timed-out","message":"The request did not arrive in time."}}');
  });

  test('a body that does not come to an end is answered 408', async () => {
    const { url, tokenOf } = await openTestDoor({ timeouts: { headersMs: 100, requestMs: 150 } }, room);

    const answer = await converse(
      url,
      `POST /echo HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${tokenOf.admin}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
    );

    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  test('bytes that are not HTTP, and headers that are too large, get a clear answer', async () => {
    const { url } = await openTestDoor();

    expect(await converse(url, 'hello\r\n\r\n')).toContain('This is not an HTTP request.');
    expect(await converse(url, `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
  });
});

describe('watching it', () => {
  test('one line is logged for each request, with its route and never its address', async () => {
    const { call, logged } = await openTestDoor({}, room);

    await call('/for-viewers?key=secret-1', { headers: { 'x-request-id': 'one' } });
    await call('/secret-2/nowhere', { headers: { 'x-request-id': 'two' } });

    expect(logged).toMatchObject([
      {
        requestId: 'one',
        method: 'GET',
        route: '/for-viewers',
        status: 200,
        ms: expect.any(Number),
        user: 'owner',
        token: 'admin token',
      },
      { requestId: 'two', route: '(no route)', status: 404, error: 'not-found' },
    ]);
    expect(JSON.stringify(logged)).not.toContain('secret-');
  });

  test('a route that programs call all the time is only told of when something is wrong', async () => {
    const { call, logged } = await openTestDoor({}, (door) => {
      door.get('/busy', { config: { access: 'viewer', isQuiet: true } }, async (request) => {
        if (request.query !== null && 'bad' in (request.query as object)) throw new DragomanError('conflict', 'No.');
        return {};
      });
    });

    await call('/busy');
    await call('/busy?bad');

    expect(logged.filter(({ level }) => Number(level) >= 30)).toMatchObject([{ route: '/busy', status: 409 }]);
  });

  test('metrics count requests by route and status', async () => {
    const { call } = await openTestDoor({}, room);
    await call('/for-viewers');
    await call('/secret/nowhere');

    const { text } = await call('/metrics');

    expect(text).toContain('dragoman_http_request_seconds_count{method="GET",route="/for-viewers",status="200"} 1');
    expect(text).toContain('dragoman_http_request_seconds_count{method="GET",route="(no route)",status="404"} 1');
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toContain('secret');
  });

  test('a call that needs the database says 503 while it does not answer', async () => {
    const { call, store } = await openTestDoor({}, room);
    await store.close();

    const { status, body } = await call('/for-viewers');

    expect(status).toBe(503);
    expect(body.error?.message).toBe('The database is not responding.');
  });

  test('health says 503 when the database does not answer', async () => {
    const { call, store } = await openTestDoor();
    await store.close();

    const { status, body } = await call('/health');

    expect(status).toBe(503);
    expect(body.status).toBe('the database is not responding');
  });
});
