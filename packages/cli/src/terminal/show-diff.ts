import { cleanText } from './clean-text.ts';
import { diffStyle } from './markdown-writer.ts';
import type { Paint } from './paint.ts';
import { cutToWidth } from './text-width.ts';

/** Longer diffs are for an editor. */
const MAX_LINES = 20;
const FILE_HEAD =
  /^(?:diff |index |Index: |=+$|new file mode |deleted file mode |similarity index |rename |\\ No newline)/;

/**
 * A unified diff in colour, a line per line, cut to the width; of a long one the beginning and how much is left out.
 *
 * The file is named only where there are several: the line above the diff names the one.
 */
export function showDiff(diff: string, { paint, width }: { paint: Paint; width: number }): string[] {
  const lines = cleanText(diff).replaceAll('\t', '    ').replace(/\n$/, '').split('\n');
  const shown: string[] = [];
  const isMany = lines.filter((line, index) => isFileHead(lines, index) && line.startsWith('--- ')).length > 1;
  for (const [index, line] of lines.entries()) {
    if (FILE_HEAD.test(line)) continue;
    if (!isFileHead(lines, index)) shown.push(paint(diffStyle(line), cutToWidth(line, width)));
    else if (line.startsWith('+++ ') && isMany) shown.push(paint('bold', cutToWidth(fileOf(lines, index), width)));
  }
  const left = shown.length - MAX_LINES;
  if (left <= 1) return shown;
  return [...shown.slice(0, MAX_LINES), paint('dim', `… ${left} more lines`)];
}

/** `--- a` and `+++ b` one below the other; a removed line may look like either. */
function isFileHead(lines: readonly string[], index: number): boolean {
  const isPair = (at: number) => lines[at]?.startsWith('--- ') === true && lines[at + 1]?.startsWith('+++ ') === true;
  return isPair(index) || isPair(index - 1);
}

/** Of a file that was deleted the old name is the one that says something. */
function fileOf(lines: readonly string[], index: number): string {
  const fresh = lines[index]!.slice(4).split('\t')[0]!;
  return fresh === '/dev/null' ? `${lines[index - 1]!.slice(4)} (deleted)` : fresh;
}
