import { resolve } from 'node:path';
import type { FileDiff } from '@dragoman/protocol';
import { fileName } from '../acp/diff-content.ts';
import type { CallPlace } from '../tools/shown-call.ts';
import { sessionPath } from './session-path.ts';

/**
 * A unified diff of several files, ours or git's, as one for each. Nothing of the text is lost: put together again they
 * are what was given, but for what stands before the first file.
 *
 * Paths in it start at the root of the project. A hunk's header counts its lines, so that a removed line `-- x` is not taken
 * for the name of a file.
 */
export function splitDiff(diff: string, { cwd, root }: CallPlace): FileDiff[] {
  const files: { from: string; to: string; isGit: boolean; lines: string[] }[] = [];
  const lines = diff.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let [oldLeft, newLeft] = [0, 0];
  for (const [at, line] of lines.entries()) {
    const file = files.at(-1);
    if ((oldLeft > 0 || newLeft > 0) && /^[-+ \\]/.test(line)) {
      if (line[0] === '-' || line[0] === ' ') oldLeft--;
      if (line[0] === '+' || line[0] === ' ') newLeft--;
      file?.lines.push(line);
      continue;
    }
    [oldLeft, newLeft] = [0, 0];
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk !== null) {
      [oldLeft, newLeft] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
      file?.lines.push(line);
    } else if (line.startsWith('diff --git ')) {
      const name = gitName(line);
      files.push({ from: name, to: name, isGit: true, lines: [line] });
    } else if (line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ') === true) {
      const names = { from: nameIn(line), to: nameIn(lines[at + 1]!) };
      // Git has named the file already, with more about it.
      if (file?.isGit === true && !file.lines.some((each) => each.startsWith('--- '))) {
        Object.assign(file, names);
        file.lines.push(line);
      } else files.push({ ...names, isGit: false, lines: [line] });
    } else file?.lines.push(line);
  }
  return files.map(({ from, to, isGit, lines: own }) => {
    const path = to === '/dev/null' ? from : to;
    const whole = resolve(root, isGit ? path.replace(/^[ab]\//, '') : path);
    return { path: sessionPath(cwd, whole), unified: own.join('') };
  });
}

/** `--- src/a.ts`, where a tab may be followed by a time. */
function nameIn(line: string): string {
  return fileName(
    line
      .slice(4)
      .replace(/\r?\n$/, '')
      .replace(/\t.*$/, ''),
  );
}

/** `diff --git a/x b/x`; both are the same where nothing was renamed. */
function gitName(line: string): string {
  const names = line.slice('diff --git '.length).trimEnd();
  const half = names.slice(0, (names.length - 1) / 2);
  return fileName(half);
}
