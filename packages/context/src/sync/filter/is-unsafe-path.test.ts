import { expect, test } from 'vitest';
import { isUnsafePath } from './built-in-rules.ts';

test.each([
  '.env',
  'app/.env.local',
  'deploy/prod.env',
  'certs/Server.PEM',
  'id_rsa',
  '.ssh/config',
  'a/.git/config',
  'home/.aws/credentials',
  'certs.pem/readme.md',
  'a/.augment-guidelines',
  String.raw`windows\.env`,
])('%s is left out', (path) => {
  expect(isUnsafePath(path)).toBe(true);
});

test.each(['.env.example', 'src/env.ts', 'src/id_rsa.ts', 'kubeconfig/load.go', 'a.pem.md', ''])(
  '%s is not',
  (path) => {
    expect(isUnsafePath(path)).toBe(false);
  },
);
