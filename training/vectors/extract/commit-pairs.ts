import { spawnSync } from 'node:child_process';
import { pathText } from '../../../packages/context/src/index/vectors/code-vectors.ts';
import { isRead, isTestPath } from './is-read.ts';
import { CODE_WORDS, type Pair, QUERY_WORDS } from './pair.ts';
import { wordsOf } from './words-of.ts';

const SOURCES = 'ts tsx js vue py go rs java kt cs swift php rb c h cc cpp scala ex lua zig hs'
  .split(' ')
  .map((extension) => `*.${extension}`);
const CHORES =
  /^(bump|merge|release|update (deps|dependenc)|revert|chore|v?\d+\.\d+|lint|format|typo|fix typo|version|发布|升级版本|合并)|dependabot|changelog/i;
const MOST_FILES = 6;

/** Subjects of commits, with what was changed in one of a few files. */
export function commitPairs(
  gitDir: string,
  commit: string,
  { commits, most }: { commits: number; most: number },
): Pair[] {
  const args = ['--git-dir', gitDir, 'log', '--no-merges', '-n', String(commits), '--no-renames', '--diff-filter=M'];
  const { stdout } = spawnSync('git', [...args, '--format=%x00%s', '-p', '-U3', commit, '--', ...SOURCES], {
    maxBuffer: 1 << 29,
    timeout: 60_000,
  });
  const pairs: Pair[] = [];
  for (const entry of (stdout ?? Buffer.alloc(0)).toString('utf8').split('\0')) {
    if (entry.length > 200_000 || entry.length < 100 || pairs.length >= most) continue;
    const line = entry.indexOf('\n');
    const subject = entry
      .slice(0, line)
      .replace(/^\w+(\([^)]*\))?!?[:：]\s*/, '')
      .replaceAll(/\(?#\d+\)?/g, '')
      .replace(/^\[[^\]]*\]\s*/, '');
    const query = wordsOf(subject, QUERY_WORDS);
    const changes = entry
      .slice(line)
      .split(/^diff --git /m)
      .slice(1);
    if (CHORES.test(subject) || query.length < 4 || changes.length > MOST_FILES) continue;
    let taken = 0;
    for (const change of changes) {
      const path = /^\+\+\+ b\/(.*)$/m.exec(change)?.[1];
      if (path === undefined || taken === 2 || !isRead(path) || (isTestPath(path) && changes.length > 1)) continue;
      const code = changedText(change);
      const words = wordsOf(`${pathText(path)}\n${code}`, CODE_WORDS);
      if (words.length - wordsOf(pathText(path)).length < 8) continue;
      pairs.push({ kind: 'commit', path, query, code: words });
      taken++;
    }
  }
  return pairs;
}

/** The largest three places of a change, as they are after it. */
function changedText(change: string): string {
  return change
    .split(/^@@ [^@]*@@/m)
    .slice(1)
    .toSorted((one, other) => other.length - one.length)
    .slice(0, 3)
    .flatMap((hunk) => hunk.split('\n').filter((line) => !/^[-\\]/.test(line)))
    .join('\n');
}
