import { expect, test } from 'vitest';
import { isSecretFile } from './secret-files.ts';

test('files that are made to hold secrets are told by their path', () => {
  const secret = [
    '.env',
    'apps/web/.env.local',
    'PROD.ENV',
    'server.pem',
    'tls/server.KEY',
    '.ssh/config',
    'home/.ssh/known_hosts',
    'id_rsa',
    'id_ed25519_sk',
    '.npmrc',
    '.netrc',
    '.aws/credentials',
    'infra/terraform.tfstate',
    'my-service-account.json',
    'credentials.json',
    '.kube/config',
    '.bash_history',
  ];
  const open = [
    '.env.example',
    'example.env',
    '.environment',
    'src/env.ts',
    'id_rsa.pub',
    'keys.ts',
    'key',
    'config',
    '.kube/readme.md',
    'docs/.aws/readme.md',
    'monkey.ts',
    'package.json',
  ];
  expect(secret.filter((path) => !isSecretFile(path))).toEqual([]);
  expect(open.filter(isSecretFile)).toEqual([]);
});
