import { checkHash, type KeptStates } from './kept-states.ts';
import { GitFailedError } from './run-git.ts';
import type { ShadowRepository } from './shadow-repository.ts';
import { DragomanError } from '@dragoman/protocol';

/** One file that differs between two states. Lines are counted in text files only. */
export interface FileChange {
  /** From the project's root, with slashes. */
  path: string;
  kind: 'added' | 'modified' | 'deleted';
  additions?: number;
  deletions?: number;
}

const MAX_DIFF_BYTES = 200_000;
const PLAIN = ['--no-color', '--no-ext-diff', '--no-textconv', '--no-renames'];

/** What differs between two states, in the order of paths. A renamed file is one deleted and one added. */
export async function listChanges(
  shadow: ShadowRepository,
  states: KeptStates,
  before: string,
  after: string,
): Promise<FileChange[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--numstat', ...PLAIN, checkHash(before), checkHash(after)];
  const { stdout } = await fromStates(shadow.git(args), before, after);
  const changes = parseChanges(stdout.toString('utf8'));
  // A file that became too large for a state, or was, did not come or go.
  const [leftOutBefore, leftOutAfter] = await Promise.all([states.leftOut(before), states.leftOut(after)]);
  return changes.map((change) => {
    const leftOut = change.kind === 'added' ? leftOutBefore : leftOutAfter;
    if (change.kind === 'modified' || !leftOut.has(change.path)) return change;
    return { path: change.path, kind: 'modified' };
  });
}

/** The unified diff between two states, of one file or of all; what is too long is cut after a line, and says so. */
export async function diffStates(
  shadow: ShadowRepository,
  before: string,
  after: string,
  path?: string,
): Promise<string> {
  const only = path === undefined ? [] : ['--', `:(literal)${path}`];
  const args = ['diff-tree', '-r', '--patch', ...PLAIN, checkHash(before), checkHash(after), ...only];
  // Pathspecs start at the root of the trees, wherever in the work tree the project lies.
  const call = { maxBytes: MAX_DIFF_BYTES, cwd: shadow.workTree };
  const { stdout, isCut } = await fromStates(shadow.git(args, call), before, after);
  if (!isCut) return stdout.toString('utf8');
  const whole = stdout.subarray(0, stdout.lastIndexOf('\n') + 1).toString('utf8');
  return `${whole}\\ The rest is left out: the diff is longer than ${MAX_DIFF_BYTES} bytes.\n`;
}

/** Says so when a state is no longer kept, rather than what git says. */
export async function fromStates<Result>(asked: Promise<Result>, ...hashes: string[]): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof GitFailedError)) throw error;
    const named = hashes.find((hash) => error.stderr.includes(hash)) ?? hashes.join(' or ');
    throw new DragomanError('not-found', `The state ${named} of the files is no longer kept.`, { cause: error });
  }
}

const KINDS: Readonly<Record<string, FileChange['kind']>> = { A: 'added', D: 'deleted' };

/** First `:mode mode blob blob status` and the path of each file, then `additions deletions path` of each. */
function parseChanges(text: string): FileChange[] {
  const fields = text.split('\0');
  const changes = new Map<string, FileChange>();
  let at = 0;
  for (; fields[at]?.startsWith(':') === true; at += 2) {
    const path = fields[at + 1]!;
    changes.set(path, { path, kind: KINDS[fields[at]!.at(-1)!] ?? 'modified' });
  }
  for (; at < fields.length; at++) {
    const [, additions, deletions, path] = /^(\d+)\t(\d+)\t([^]*)$/.exec(fields[at]!) ?? [];
    const change = path === undefined ? undefined : changes.get(path);
    if (change !== undefined) Object.assign(change, { additions: Number(additions), deletions: Number(deletions) });
  }
  return [...changes.values()];
}
