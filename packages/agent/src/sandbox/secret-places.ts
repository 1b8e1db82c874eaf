import { join } from 'node:path';

/** Where people and programs keep keys in a home folder. What is new here is one more line. */
export function secretPlaces(home: string): string[] {
  return PLACES.map((place) => join(home, place));
}

/**
 * An environment without its keys: what is named like one, what is ours, and addresses that carry a password.
 *
 * A command that needs one of them can be given it by the person who allows the command.
 */
export function withoutSecrets(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !SECRET_NAME.test(entry[0]) && !WITH_PASSWORD.test(entry[1]),
  );
  return Object.fromEntries(kept);
}

const PLACES = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.config',
  '.password-store',
  '.local/share/keyrings',
  '.local/share/dragoman',
  '.local/share/opencode',
  '.claude',
  '.codex',
  '.gemini',
  '.mozilla',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.git-credentials',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.bash_history',
  '.zsh_history',
];

const SECRET_NAME =
  /^DRAGOMAN_|(?:^|_)(?:(?:API|ACCESS|PRIVATE|SECRET)?KEYS?|TOKENS?|PAT|SECRETS?|(?:PG)?PASSWORD|PASSWD|PASS|PASSPHRASE|CREDENTIALS?|AUTH|COOKIE)(?:_|$)/i;
const WITH_PASSWORD = /:\/\/[^/\s@]*:[^/\s@]+@/;
