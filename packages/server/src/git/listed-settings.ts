import { DragomanError } from '@dragoman/protocol';

/** What makes git tell all its settings, for `ownSettings`. */
export const LIST_SETTINGS: readonly string[] = ['config', '--list', '-z', '--show-scope', '--show-origin'];

/** A setting of the repository itself, in its own files or in files that these include. */
export interface OwnSetting {
  /** The file that it stands in; a path from the root of the repository where it is not a whole one. */
  file: string;
  key: string;
  value: string;
}

/**
 * The settings of a repository, of all that git told; without those of the user and the machine. Throws where git did not
 * take the settings of its environment: before 2.31 it ran whatever the repository sets.
 */
export function ownSettings(listing: string): OwnSetting[] {
  const fields = listing.split('\0');
  const own: OwnSetting[] = [];
  let isObeyed = false;
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope, origin, entry] = fields.slice(at, at + 3) as [string, string, string];
    const end = entry.indexOf('\n');
    const [key, value] = end === -1 ? [entry, ''] : [entry.slice(0, end), entry.slice(end + 1)];
    if (scope === 'command' && key === 'safe.barerepository') isObeyed = true;
    if (scope === 'local' || scope === 'worktree') own.push({ file: origin.replace(/^file:/, ''), key, value });
  }
  if (!isObeyed) throw new DragomanError('unavailable', 'git is older than 2.31');
  return own;
}
