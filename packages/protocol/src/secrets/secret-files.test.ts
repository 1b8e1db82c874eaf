import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSecretFile } from './secret-files.ts';

test.each([
  '.env',
  'apps/web/.env.local',
  '.env.production',
  '.env~',
  '.envrc',
  'PROD.ENV',
  '.Env',
  'server.pem',
  'tls/server.KEY',
  'a.p12',
  'a.jks',
  'id_rsa',
  'ID_RSA',
  'id_ed25519_sk',
  'id_rsa.bak',
  '.ssh/config',
  '.ssh/id_rsa.pub',
  'home/.ssh/known_hosts',
  '.gnupg/pubring.kbx',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.htpasswd',
  '.git-credentials',
  '.vault-token',
  '.aws/credentials',
  '/home/ann/.aws/credentials',
  String.raw`C:\Users\ann\.aws\credentials`,
  '.kube/config',
  'kubeconfig',
  '.docker/config.json',
  '.config/gcloud/credentials.db',
  'AppData/Roaming/gcloud/access_tokens.db',
  'application_default_credentials.json',
  'service-account.json',
  'my-service-account-prod.json',
  'infra/terraform.tfstate',
  'infra/terraform.tfstate.backup',
  'prod.tfvars',
  'prod.auto.tfvars.json',
  'wp-config.php',
  'secrets.json',
  'Secrets.YAML',
  'config/secrets.yml',
  'config/secrets.toml',
  'prod.secrets.json',
  'secret.yaml',
  '.secrets',
  'credentials',
  'credentials.json',
  'client_secret_123.json',
  'dragoman.json',
  'dragoman.sqlite',
  'dragoman.sqlite-wal',
  'server.lock',
  '.augment/session.json',
  '.codex/auth.json',
  '.claude/.credentials.json',
  '.claude.json',
  '.bash_history',
])('%s is made to hold secrets', (path) => {
  expect(isSecretFile(path)).toBe(true);
});

test.each([
  '',
  '.',
  '.env.example',
  '.env.local.sample',
  '.env.template',
  '.env.dist',
  'example.env',
  'config.example.env',
  'secrets.example.json',
  'secrets.json.example',
  'terraform.tfvars.example',
  'public.pem',
  'jwt-public.pem',
  'id_rsa.pub',
  '.environment',
  'env.ts',
  'src/secrets.ts',
  'src/secrets/index.ts',
  'secret-manager.go',
  'secrets.py',
  'docs/secrets.md',
  'credentials/store.ts',
  'credentials.go',
  'id_generator.rs',
  'src/id_rsa.ts',
  'key.tsx',
  'keys.ts',
  'key',
  'monkey.ts',
  'config',
  'package.json',
  'package-lock.json',
  'yarn.lock',
  'dragoman.schema.json',
  '.kube/readme.md',
  'docs/.aws/readme.md',
  '.claude/agents/review.md',
  '.codex/config.toml',
  'server.ts',
  'ssh/client.go',
])('%s is not', (path) => {
  expect(isSecretFile(path)).toBe(false);
});

test('neither the case of a path nor the folders above it change what a file is', () => {
  const paths = fc.constantFrom('.env', 'secrets.json', 'src/secrets.ts', '.ssh/config', 'a.example', 'readme.md');
  const folders = fc.array(fc.constantFrom('a', 'Src', 'x y', '.hidden', 'node_modules'), { maxLength: 4 });

  fc.assert(
    fc.property(paths, folders, (path, above) => {
      const deeper = [...above, path].join('/');
      expect(isSecretFile(deeper)).toBe(isSecretFile(path));
      expect(isSecretFile(`/${deeper.toUpperCase()}`)).toBe(isSecretFile(path));
    }),
  );
});
