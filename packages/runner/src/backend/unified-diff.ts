import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { FileDiff } from '@dragoman/protocol';
import { pathBelow } from './session-path.ts';

/** Beyond this a reader is told that there is more; nobody reads such a diff on a screen. */
const LONGEST_DIFF = 256 * 1024;
/** Looking for the smallest difference can take very long; a large one does as well. */
const TIME_LIMIT_MS = 250;

/** A text before and after, as a unified diff. `before` is absent for a file that is new. */
export function unifiedDiff(path: string, before: string | null | undefined, after: string, cwd: string): FileDiff {
  const shown = pathBelow(cwd, path);
  const isNew = before === null || before === undefined;
  const [from, to] = [isNew ? '/dev/null' : shown, shown];
  const patch =
    createTwoFilesPatch(from, to, before ?? '', after, undefined, undefined, {
      context: 3,
      timeout: TIME_LIMIT_MS,
      headerOptions: FILE_HEADERS_ONLY,
    }) ?? replaced(from, to, before ?? '', after);
  return { path: shown, ...cut(patch) };
}

/** Everything out and everything in, for texts whose difference would take too long to find. */
function replaced(from: string, to: string, before: string, after: string): string {
  const [out, into] = [linesOf(before), linesOf(after)];
  const range = (lines: readonly string[]) => `${lines.length === 0 ? 0 : 1},${lines.length}`;
  const body = [...out.map((line) => `-${line}`), ...into.map((line) => `+${line}`)];
  return [`--- ${from}`, `+++ ${to}`, `@@ -${range(out)} +${range(into)} @@`, ...body, ''].join('\n');
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** A line that begins with a backslash is a remark in a diff. */
function cut(patch: string): Omit<FileDiff, 'path'> {
  if (patch.length <= LONGEST_DIFF) return { unified: patch };
  const end = patch.lastIndexOf('\n', LONGEST_DIFF);
  const remark = `\\ The diff goes on for ${patch.length - end} more characters.`;
  return { unified: `${patch.slice(0, end)}\n${remark}\n`, is_cut: true };
}
