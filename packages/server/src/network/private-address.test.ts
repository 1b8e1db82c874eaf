import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPrivateAddress } from './private-address.ts';

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:a00:1',
  '::127.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001:0:1:2:3:4:5:6',
  '2001:db8::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  'not an address',
  '',
])('the address %s is private', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

test.each([
  '1.1.1.1',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '223.255.255.255',
  '::ffff:93.184.216.34',
  '64:ff9b::5db8:d822',
  '2002:5db8:d822::1',
  '2606:2800:220:1:248:1893:25c8:1946',
  '2a00:1450:4001:81b::200e',
])('the address %s is public', (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});

test('an IPv4 address is judged the same in each of its IPv6 disguises', () => {
  const hex = (high: number, low: number) => ((high << 8) | low).toString(16);
  fc.assert(
    fc.property(
      fc.tuple(...[0, 1, 2, 3].map(() => fc.integer({ min: 0, max: 255 }))),
      ([a = 0, b = 0, c = 0, d = 0]) => {
        const plain = `${a}.${b}.${c}.${d}`;
        const words = `${hex(a, b)}:${hex(c, d)}`;
        const expected = isPrivateAddress(plain);
        const disguises = [`::ffff:${plain}`, `::ffff:${words}`, `64:ff9b::${words}`, `2002:${words}::1`];
        expect(disguises.map(isPrivateAddress)).toEqual(disguises.map(() => expected));
      },
    ),
  );
});
