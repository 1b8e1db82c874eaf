import type { FileChanges } from '@dragoman/protocol';

/** One of the ways a file can have changed. */
type ChangeKind = NonNullable<FileChanges['files'][number]['staged']>;

/** What git says of one file. Paths are from the root of the repository. */
export interface StatusEntry {
  path: string;
  oldPath?: string;
  staged?: ChangeKind;
  unstaged?: ChangeKind;
  /** Git does not know it yet. */
  isUntracked?: true;
}

/** What git says of a repository. */
export interface Status {
  /** Absent where no branch is checked out. */
  branch?: string;
  upstream?: string;
  ahead?: number;
  behind?: number;
  /** There is no commit yet. */
  isUnborn: boolean;
  entries: StatusEntry[];
}

const KINDS: Readonly<Record<string, ChangeKind>> = {
  M: 'modified',
  T: 'modified',
  A: 'added',
  C: 'added',
  D: 'deleted',
  R: 'renamed',
};

/**
 * Reads `git status --porcelain=v2 --branch -z`: fields that end with NUL, where a name stands as it is and a rename is
 * followed by the old name. What is not known is passed over.
 */
export function parseStatus(text: string): Status {
  const status: Status = { isUnborn: false, entries: [] };
  const fields = text.split('\0');
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at]!;
    switch (field[0]) {
      case '#':
        readHeader(status, field);
        break;
      case '1':
        addChanged(status, field, 8);
        break;
      case '2':
        addChanged(status, field, 9, fields[(at += 1)]);
        break;
      case 'u': {
        const path = afterFields(field, 10);
        if (path !== undefined) status.entries.push({ path, unstaged: 'conflicted' });
        break;
      }
      case '?':
        if (field.length > 2) status.entries.push({ path: field.slice(2), unstaged: 'added', isUntracked: true });
        break;
      default: // Nothing after the last NUL, and files that are ignored.
    }
  }
  return status;
}

function addChanged(status: Status, field: string, count: number, oldPath?: string): void {
  const path = afterFields(field, count);
  if (path === undefined) return;
  const [staged, unstaged] = [KINDS[field[2]!], KINDS[field[3]!]];
  const isRename = staged === 'renamed' || unstaged === 'renamed';
  status.entries.push({
    path,
    ...(isRename && oldPath !== undefined && { oldPath }),
    ...(staged !== undefined && { staged }),
    ...(unstaged !== undefined && { unstaged }),
  });
}

/** What follows so many words, each with one space behind it; a name may have spaces of its own. */
function afterFields(field: string, count: number): string | undefined {
  let at = 0;
  for (let left = count; left > 0; left -= 1) {
    at = field.indexOf(' ', at) + 1;
    if (at === 0) return undefined;
  }
  return at < field.length ? field.slice(at) : undefined;
}

function readHeader(status: Status, field: string): void {
  const [, name, value] = /^# (\S+) ([^]*)$/.exec(field) ?? [];
  if (value === undefined) return;
  if (name === 'branch.oid') status.isUnborn = value === '(initial)';
  else if (name === 'branch.head' && value !== '(detached)') status.branch = value;
  else if (name === 'branch.upstream') status.upstream = value;
  else if (name === 'branch.ab') {
    const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(value) ?? [];
    if (ahead === undefined) return;
    status.ahead = Number(ahead);
    status.behind = Number(behind);
  }
}
