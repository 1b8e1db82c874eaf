import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { closedPort, runDragoman, serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';

test('secrets sent through every door appear nowhere in what the server prints', async () => {
  const home = tempFolder();
  const server = await serveDragoman([], { home, env: { DRAGOMAN_TOKEN: 'DGM_SECRETGIVENATSTART' } });
  const { stdout } = await runDragoman(['token', 'create', 'client'], { home });
  const clientToken = stdout.trim();
  const link = (await runDragoman(['token', 'link'], { home })).stdout.trim();
  const code = link.split('#')[1]!;

  const call = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, init).then((response) => response.text());
  const json = { 'content-type': 'application/json' };
  const bearer = { authorization: `Bearer ${clientToken}` };
  await call('/api/me', { headers: bearer });
  await call('/api/me', { headers: { authorization: 'Bearer SECRET-bearer' } });
  await call('/api/me', { headers: { authorization: 'Basic SECRET-basic' } });
  await call('/api/me', { headers: { 'x-api-key': 'SECRET-x-api-key' } });
  await call('/api/me', { headers: { 'api-key': 'SECRET-api-key' } });
  await call('/api/me', { headers: { 'x-goog-api-key': 'SECRET-x-goog-api-key' } });
  await call('/v1beta/models?key=SECRET-key-in-query');
  await call(`/v1beta/models?key=${clientToken}`);
  await call(`/v1beta/SECRET-nothing/here?key=${clientToken}`, { method: 'POST', headers: json, body: '{}' });
  await call(`/v1beta/models/m:generateContent?key=${clientToken}`, { method: 'POST', headers: json, body: '{SECRET' });
  await call('/api/me', { headers: { cookie: 'dragoman_login=SECRET-cookie; session=SECRET-session' } });
  await call('/SECRET-path/x?key=SECRET-query', { headers: bearer });
  await call('/health?token=SECRET-health');
  await call('/token/SECRET-in-path/api/tags');
  await call(`/token/${clientToken}/api/tags`);
  await call('/%SECRET-bad-escape', { headers: bearer });
  await call('/api/login', { method: 'POST', headers: json, body: JSON.stringify({ code }) });
  await call('/api/login', { method: 'POST', headers: json, body: '{"code":"SECRET-code"}' });
  await call('/api/login', { method: 'POST', headers: json, body: '{"code": SECRET-broken' });
  await call('/api/login', { method: 'POST', headers: json, body: '{"code": ["SECRET-wrong-type"], "SECRET-key": 1}' });
  await call('/api/login', { method: 'POST', headers: { 'content-type': 'text/SECRET-type' }, body: 'SECRET-text' });
  await call('/api/login', { method: 'POST', headers: { ...json, 'content-encoding': 'SECRET-encoding' }, body: 'x' });
  await call('/api/login', {
    method: 'POST',
    headers: { ...json, 'content-encoding': 'gzip' },
    body: gzipSync('{"code": SECRET-gzip'),
  });
  await call('/api/login', { method: 'POST', headers: { ...json, origin: 'http://SECRET-origin' }, body: '{}' });
  await call('/api/me', { headers: { ...bearer, 'x-request-id': 'SECRET request id' } });
  await call('/api/logout', { method: 'POST', headers: bearer });
  await call('/api/me', { method: 'DELETE', headers: bearer });
  for (const bytes of [
    'GET /SECRET-raw HTTP/9.9\r\n\r\n',
    'SECRET-not-http\r\n\r\n',
    'GET /health HTTP/1.1\r\nhost: SECRET-host\r\n\r\n',
  ]) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.end(bytes);
    await socket.resume().toArray();
  }

  const { stderr } = await server.stop();

  expect(stderr.split('\n').filter((line) => line.includes('"route"')).length).toBeGreaterThanOrEqual(20);
  expect(stderr).not.toMatch(/SECRET/i);
  for (const secret of [clientToken, code]) expect(stderr).not.toContain(secret);
});

test('secrets of chats appear nowhere in what the server prints, neither as they are used nor as others send them', async () => {
  const home = tempFolder();
  const nowhere = `http://127.0.0.1:${await closedPort()}`;
  const channels = {
    telegram: { token: '{env:TELEGRAM}', apiUrl: nowhere },
    lark: {
      appId: 'cli_0123456789abcdef',
      appSecret: 'SECRET-app',
      domain: nowhere,
      encryptKey: 'SECRET-encrypt',
      verificationToken: 'SECRET-verification',
    },
  };
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ log: { level: 'debug' }, channels }));
  const server = await serveDragoman([], { home, env: { TELEGRAM: '12345:SECRET-telegram' } });
  const call = async (
    path: string,
    init: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ) => {
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json', ...init.headers };
    const text = await (await fetch(server.url + path, { ...init, headers })).text();
    return JSON.parse(text === '' ? '{}' : text) as Record<string, unknown>;
  };
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    call(path, { method: 'POST', body: JSON.stringify(body), headers });

  await post('/channels/telegram', { update_id: 1, message: { text: 'SECRET-said' } });
  await post('/channels/telegram', {}, { 'x-telegram-bot-api-secret-token': 'SECRET-proof' });
  await post('/channels/lark', { encrypt: 'SECRET-encrypted' }, { 'x-lark-signature': 'SECRET-signature' });
  await post('/channels/lark', { type: 'url_verification', token: 'SECRET-token', challenge: 'SECRET-challenge' });
  await post('/channels/SECRET-channel', {});
  const { code } = await post('/api/channels/bind-code', { language: 'en' });
  for (const channel of ['telegram', 'lark']) await post(`/api/channels/${channel}/check`, { language: 'en' });
  const told = await call('/api/channels?language=en');
  await call('/api/settings', {
    method: 'PATCH',
    body: JSON.stringify({
      changes: [{ path: ['channels', 'telegram', 'token'], value: '{secret:channels.telegram.token}' }],
      secrets: { 'channels.telegram.token': '12345:SECRET-new' },
    }),
  });
  await call('/api/channels?language=en');

  const { stderr } = await server.stop();

  expect(told).toMatchObject({
    channels: [
      { name: 'telegram', isConfigured: true },
      { name: 'lark', isConfigured: true },
    ],
  });
  expect(JSON.stringify(told)).not.toMatch(/SECRET-/i);
  expect(stderr).not.toMatch(/SECRET-/i);
  expect(stderr).not.toContain(code);
});
