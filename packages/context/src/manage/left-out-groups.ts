import { basename, sep } from 'node:path';
import type { LeftOutPath } from '../sync/watch/workspace-sync.ts';

/** What is left out for one reason. */
export interface LeftOutGroup {
  /** For programs. */
  reason: string;
  /** In words. */
  title: string;
  count: number;
  examples: string[];
}

const MOST_EXAMPLES = 20;

/** What is left out by reason, the most frequent first, with some of the paths. */
export function groupLeftOut(paths: Iterable<LeftOutPath>): LeftOutGroup[] {
  const groups = new Map<string, LeftOutGroup>();
  for (const { path, reason: said } of paths) {
    const [reason, title] = reasonOf(said);
    let group = groups.get(reason);
    if (group === undefined) {
      group = { reason, title, count: 0, examples: [] };
      groups.set(reason, group);
    }
    group.count++;
    if (group.examples.length < MOST_EXAMPLES) group.examples.push(path);
  }
  return [...groups.values()].sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1));
}

type Reason = readonly [reason: string, title: string];

const UNREADABLE: Reason = ['unreadable', 'Cannot be read'];
const OTHER_TITLE = 'Left out for another reason';

/** By the name of the layer that left them out, or by what the pipeline says of a file. */
const BY_NAME: Readonly<Record<string, Reason>> = {
  'default Augment rules': ['augment-rules', 'Keys, certificates and version control'],
  'Dragoman safety rules': ['safety-rules', 'May hold secrets'],
  'Dragoman defaults': ['defaults', 'Dependencies, build output and lock files'],
  'file extension': ['file-extension', 'Other file extensions'],
  'file type': ['not-a-file', 'Links and other things that are no files'],
  'file name': ['name-not-text', 'Names that are no valid text'],
  'Rejected by intake service': ['intake', 'Refused by the server'],
  'file system': UNREADABLE,
  'Not a file': ['not-a-file', 'Links and other things that are no files'],
  'File not readable': UNREADABLE,
  'Large file': ['too-large', 'Large files'],
  'Binary file': ['binary', 'Binary files'],
  'Private key': ['private-key', 'Files with a private key in them'],
  'Changed while being read': ['changed-while-read', 'Changed while being read'],
  'Upload failed': ['upload-failed', 'Could not be taken into the index'],
};

/** By the name of the ignore file, which stands in any folder. */
const BY_FILE: Readonly<Record<string, Reason>> = {
  '.gitignore': ['git-ignored', 'Ignored by git'],
  exclude: ['git-ignored', 'Ignored by git'],
  '.augmentignore': ['augment-ignored', 'Ignored by .augmentignore'],
  '.dragomanignore': ['dragoman-ignored', 'Ignored by .dragomanignore'],
};

function reasonOf(said: string): Reason {
  const byName = BY_NAME[said];
  if (byName !== undefined) return byName;
  if (/^(?:Folder not readable|Not readable) \(/.test(said)) return UNREADABLE;
  return (said.includes(sep) ? BY_FILE[basename(said)] : undefined) ?? ['other', OTHER_TITLE];
}
