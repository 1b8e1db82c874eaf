import { cleanText } from './clean-text.ts';
import { diffStyle } from './markdown-writer.ts';
import type { Paint } from './paint.ts';
import { cutToWidth } from './text-width.ts';
import { breakLine } from './wrap-text.ts';

/** Longer diffs are for an editor. */
const MAX_LINES = 20;
const FILE_HEAD =
  /^(?:diff |index |Index: |=+$|new file mode |deleted file mode |similarity index |rename |\\ No newline)/;
const HUNK_HEAD = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const NO_FILE = '/dev/null';

export interface ShowDiffOptions {
  paint: Paint;
  width: number;
  /** It is what a person says yes to: nothing is cut, and what would become of a file is said. */
  isWhole?: boolean;
}

/**
 * A unified diff in colour, a line per line, cut to the width; of a long one the beginning and how much is left out.
 *
 * The file is named where there are several, or where it comes, goes or moves: else the line above the diff names it.
 */
export function showDiff(diff: string, { paint, width, isWhole = false }: ShowDiffOptions): string[] {
  const fit = (line: string) => (isWhole ? breakLine(line, width) : [cutToWidth(line, width)]);
  const pieces = piecesOf(cleanText(diff).replaceAll('\t', '    ').replace(/\n$/, '').split('\n'));
  const files = pieces.filter((piece) => typeof piece !== 'string');
  const shown = pieces.flatMap((piece) => {
    if (typeof piece === 'string') return fit(piece).map((line) => paint(diffStyle(piece), line));
    const isNamed = files.length > 1 || (isWhole && piece.from !== piece.to);
    return isNamed ? fit(isWhole ? fateOf(piece) : nameOf(piece)).map((line) => paint('bold', line)) : [];
  });
  const left = shown.length - MAX_LINES;
  if (isWhole || left <= 1) return shown;
  return [...shown.slice(0, MAX_LINES), paint('dim', `… ${left} more lines`)];
}

interface FileNames {
  from: string;
  to: string;
}

/** The lines that are shown, and between them where a file begins. What a hunk holds is no head, whatever it looks like. */
function piecesOf(lines: readonly string[]): (string | FileNames)[] {
  const pieces: (string | FileNames)[] = [];
  let [removed, added] = [0, 0]; // Lines of the hunk that are still to come.
  for (let at = 0; at < lines.length; at++) {
    const [line, next = ''] = [lines[at]!, lines[at + 1]];
    const mark = line[0] ?? ' ';
    if ((removed > 0 || added > 0) && ' +-'.includes(mark)) {
      if (mark !== '+') removed--;
      if (mark !== '-') added--;
      pieces.push(line);
      continue;
    }
    if (FILE_HEAD.test(line)) continue;
    const hunk = HUNK_HEAD.exec(line);
    if (hunk !== null) [removed, added] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
    if (line.startsWith('--- ') && next.startsWith('+++ ')) {
      pieces.push({ from: pathOf(line), to: pathOf(next) });
      at++;
    } else pieces.push(line);
  }
  return pieces;
}

function pathOf(line: string): string {
  return line.slice(4).split('\t')[0]!;
}

/** Of a file that was deleted the old name is the one that says something. */
function nameOf({ from, to }: FileNames): string {
  return to === NO_FILE ? `${from} (deleted)` : to;
}

function fateOf({ from, to }: FileNames): string {
  if (to === NO_FILE) return `delete ${from}`;
  if (from === NO_FILE) return `new file ${to}`;
  return from === to ? to : `move ${from} to ${to}`;
}
