import { expect, test } from 'vitest';
import { checkHost, type HostAddress } from './check-host.ts';
import { hostOf } from './web-address.ts';

const never = new AbortController().signal;
const nobody = async (): Promise<HostAddress[]> => {
  throw new Error('asked for a name');
};

test.each([
  'http://localhost/',
  'http://LOCALHOST:8080/',
  'http://localhost./',
  'http://app.localhost/',
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://１２７.０.０.１/',
])('%s is refused without a look at any name server', async (address) => {
  await expect(checkHost(new URL(address), { allowPrivate: [], lookup: nobody }, never)).rejects.toThrow(
    'is not fetched',
  );
});

test('a host is refused when only one of its addresses is private', async () => {
  const lookup = async () => [
    { address: '93.184.216.34', family: 4 },
    { address: '10.0.0.7', family: 4 },
  ];

  await expect(checkHost(new URL('https://docs.example/a'), { allowPrivate: [], lookup }, never)).rejects.toThrow(
    'docs.example is not fetched: it leads to 10.0.0.7, and only the public Internet is open to this tool. The person who runs the agent can allow the host in the configuration.',
  );
});

test('a public host gives the addresses to connect to', async () => {
  const addresses = [
    { address: '93.184.216.34', family: 4 },
    { address: '2606:2800:220:1:248:1893:25c8:1946', family: 6 },
  ];

  expect(
    await checkHost(new URL('https://docs.example/'), { allowPrivate: [], lookup: async () => addresses }, never),
  ).toEqual(addresses);
});

test.each([
  ['intranet.example', 'https://intranet.example/x'],
  ['intranet.example:443', 'https://intranet.example/x'],
  ['Intranet.example:8080', 'http://intranet.example:8080/x'],
  ['localhost:3000', 'http://localhost:3000/'],
  ['::1', 'http://[::1]:3000/'],
  ['[::1]:3000', 'http://[::1]:3000/'],
])('with %s allowed, %s may be private', async (allowed, address) => {
  const lookup = async () => [{ address: '10.0.0.7', family: 4 }];

  await expect(checkHost(new URL(address), { allowPrivate: [allowed], lookup }, never)).resolves.toHaveLength(1);
});

test('what is allowed at one port is not allowed at another', async () => {
  const rules = { allowPrivate: ['127.0.0.1:3000'], lookup: nobody };

  await expect(checkHost(new URL('http://127.0.0.1:3001/'), rules, never)).rejects.toThrow('it is a private address');
});

test('a name that nobody knows is told', async () => {
  const failing = async () => {
    throw new Error('ENOTFOUND');
  };
  for (const lookup of [failing, async () => []])
    await expect(checkHost(new URL('https://nope.example/'), { allowPrivate: [], lookup }, never)).rejects.toThrow(
      'There is no host named nope.example, or its name cannot be looked up. Check the spelling.',
    );
});

test('a lookup that never answers is given up with the call', async () => {
  const call = new AbortController();
  const checked = checkHost(
    new URL('https://slow.example/'),
    { allowPrivate: [], lookup: () => new Promise(() => {}) },
    call.signal,
  );
  call.abort(new Error('called off'));

  await expect(checked).rejects.toThrow('called off');
});

test('permissions know a host with its port only where that is unusual', () => {
  expect(hostOf(new URL('https://Docs.Example:443/a'))).toBe('docs.example');
  expect(hostOf(new URL('https://docs.example.:8443/a'))).toBe('docs.example:8443');
});
