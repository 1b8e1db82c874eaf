import { expect, test } from 'vitest';
import { reachableOrigin } from './reachable-origin.ts';

test.each([
  ['http://127.0.0.1:4931', 'http://ADDRESS:4931'],
  ['http://localhost:4747', 'http://ADDRESS:4747'],
  ['http://[::1]:4747', 'http://ADDRESS:4747'],
  ['https://dragoman.example', 'https://dragoman.example'],
  ['http://192.168.1.20:4747', 'http://192.168.1.20:4747'],
])('another machine finds the server of %s at %s', (url, origin) => {
  expect(reachableOrigin(new URL(url))).toBe(origin);
});
