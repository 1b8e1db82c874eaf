import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskAddresses } from './mask-addresses.ts';

test.each([
  ['https://me:p@ss@host.example:8443/v1', 'https://••••••@host.example:8443/v1'],
  ['https://host.example/@me/v1', 'https://host.example/@me/v1'],
  ['https://a.example/v1?token=abc', 'https://a.example/v1?token=••••••'],
  ['https://a.example/v1?api-version=2024-10-21&region=eu', 'https://a.example/v1?api-version=2024-10-21&region=eu'],
  ['https://a.example/v1?q=Zm9v.YmFy-1', 'https://a.example/v1?q=••••••'],
  ['https://a.example/s/Zm9vYmFyYmF6cXV4MTIz/mcp', 'https://a.example/s/••••••/mcp'],
  ['https://api.telegram.org/bot123456789:AAaB3aB3aB3aB3aB3aB3/x', 'https://api.telegram.org/••••••/x'],
  ['https://a.example/#access_token=abc', 'https://a.example/#access_token=••••••'],
  ['https://a.example/#top', 'https://a.example/#top'],
  ['no address: a@b.example?key=abc', 'no address: a@b.example?key=abc'],
  [
    'two: http://a.example?key=k and "ws://u:p@b.example"',
    'two: http://a.example?key=•••••• and "ws://••••••@b.example"',
  ],
])('%s is shown as %s', (address, shown) => {
  expect(maskAddresses(address)).toBe(shown);
});

test('whatever a key is, it is not shown, and whoever asks is told it', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\w.~-]{8,40}[A-Z]\d$/), (key) => {
      const kept = new Set<string>();
      const shown = maskAddresses(`https://ann:${key}@a.example/v1?x=${key}`, (secret) => {
        kept.add(secret);
        return '*';
      });

      expect(shown).toBe('https://*@a.example/v1?x=*');
      expect(kept).toContain(key);
    }),
  );
});
