import { join } from 'node:path';
import { carriesPassword, HOME_SECRETS, redactText, soundsSecret } from '@dragoman/protocol/secrets';

/** Where people and programs keep keys in a home folder. */
export function secretPlaces(home: string): string[] {
  const single = HOME_SECRETS.filter((place) => !FOLDERS.some((folder) => place.startsWith(`${folder}/`)));
  return [...new Set([...FOLDERS, '.local/share/dragoman', '.local/share/opencode', ...single])].map((place) =>
    join(home, place),
  );
}

/**
 * An environment without its keys: what is named or looks like one, what is ours, and addresses that carry a password.
 *
 * A command that needs one of them can be given it by the person who allows the command.
 */
export function withoutSecrets(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      !entry[0].startsWith('DRAGOMAN_') &&
      (entry[0] === 'PWD' || !soundsSecret(entry[0])) &&
      !carriesPassword(entry[1]) &&
      redactText(entry[1]).count === 0,
  );
  return Object.fromEntries(kept);
}

/** Folders that hold more than one thing of the kind, so that all of them is hidden. */
const FOLDERS = [
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.config',
  '.claude',
  '.codex',
  '.gemini',
  '.augment',
  '.mozilla',
];
