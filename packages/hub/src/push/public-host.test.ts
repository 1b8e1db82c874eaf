import { expect, test } from 'vitest';
import { publicPush } from './post-push.ts';
import { checkPushEndpoint, lookupPublic } from './public-host.ts';

test.each([
  'https://fcm.googleapis.com/fcm/send/abc',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://web.push.apple.com/abc',
  'https://8.8.8.8/x',
  'https://[2606:4700::1111]/x',
])('%s may be a push service', (endpoint) => {
  expect(checkPushEndpoint(endpoint).href).toBe(endpoint);
});

test.each([
  ['http://push.example.com/x', 'it must begin with https://'],
  ['ftp://push.example.com/x', 'it must begin with https://'],
  ['https://name:word@push.example.com/x', 'it has a name or password in it'],
  ['https://localhost/x', 'it is a private address'],
  ['https://localhost./x', 'it is a private address'],
  ['https://printer/x', 'it is a private address'],
  ['https://192.0.2.1/x', 'it is a private address'],
  ['https://db.internal/x', 'it is a private address'],
  ['https://nas.local./x', 'it is a private address'],
  ['https://127.0.0.1/x', 'it is a private address'],
  ['https://2130706433/x', 'it is a private address'],
  ['https://0x7f.1/x', 'it is a private address'],
  ['https://10.1.2.3/x', 'it is a private address'],
  ['https://169.254.169.254/latest/meta-data', 'it is a private address'],
  ['https://[::1]/x', 'it is a private address'],
  ['https://[::ffff:10.0.0.1]/x', 'it is a private address'],
  ['https://[fd00::1]/x', 'it is a private address'],
  ['https://[2002:7f00:1::]/x', 'it is a private address'],
])('%s is none: %s', (endpoint, reason) => {
  expect(() => checkPushEndpoint(endpoint)).toThrow(reason);
});

test('a name that leads to this machine is refused when it is looked up, however it is asked for', async () => {
  for (const all of [true, false]) {
    const error = await new Promise((resolve) => lookupPublic('localhost', { all }, resolve));
    expect(error).toMatchObject({
      code: 'forbidden',
      message: 'localhost leads to a private address; push services are public.',
    });
  }
});

test('the public way does not reach a private address, whatever was stored', async () => {
  const request = { endpoint: 'https://127.0.0.1:1/x', headers: {}, body: new Uint8Array() };
  await expect((async () => publicPush.post(request, AbortSignal.timeout(60_000)))()).rejects.toMatchObject({
    code: 'bad-request',
  });
});
