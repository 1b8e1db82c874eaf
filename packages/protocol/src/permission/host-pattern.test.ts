import { expect, test } from 'vitest';
import { compileHostPattern, hostTexts } from './host-pattern.ts';

const matches = (pattern: string, host: string) => hostTexts(host).some(compileHostPattern(pattern));

test('a host is compared in lower case, and a star before a dot is everything below [ACC-21]', () => {
  expect(matches('Example.com', 'EXAMPLE.COM.')).toBe(true);
  expect(matches('*.example.com', 'a.b.example.com')).toBe(true);
  expect(matches('*.example.com', 'example.com')).toBe(false);
  expect(matches('*.example.com', 'badexample.com')).toBe(false);
  expect(matches('example.com', 'example.com.evil.org')).toBe(false);
  expect(matches('*', 'localhost')).toBe(true);
});

test('a pattern without a port is about every port, and one with a port about that one [ACC-21]', () => {
  expect(matches('localhost', 'localhost:3000')).toBe(true);
  expect(matches('localhost:3000', 'localhost:3000')).toBe(true);
  expect(matches('localhost:3000', 'localhost:3001')).toBe(false);
  expect(matches('localhost:3000', 'localhost')).toBe(false);
  expect(matches('localhost:*', 'localhost:3001')).toBe(true);
  expect(matches('*.example.com', 'a.example.com:8443')).toBe(true);
});

test('an address of version 6 keeps its colons', () => {
  expect(matches('::1', '[::1]:80')).toBe(true);
  expect(matches('[::1]', '::1')).toBe(true);
  expect(matches('[::1]:80', '[::1]:81')).toBe(false);
});
