import { resolve } from 'node:path';
import type { ToolCallContent, ToolCallLocation } from '@agentclientprotocol/sdk';

/** A piece of a file before and after, and where it begins now. */
interface Change {
  path: string;
  before: string | null;
  after: string;
  line: number;
}

/** What a change looks like in an editor. */
export interface DiffContent {
  content: ToolCallContent[];
  locations: ToolCallLocation[];
}

/**
 * A unified diff, as our tools write it, as the texts before and after that editors show: one for every hunk, because
 * what lies between hunks is not in the diff.
 *
 * Paths in it are relative to `root`. A diff that was cut short shows what there is of it.
 */
export function diffContent(diff: string, root: string): DiffContent {
  const changes = readChanges(diff.split('\n'));
  return {
    content: changes.map(({ path, before, after }) => ({
      type: 'diff',
      path: resolve(root, path),
      oldText: before,
      newText: after,
    })),
    locations: changes.map(({ path, line }) => ({ path: resolve(root, path), line })),
  };
}

function readChanges(lines: readonly string[]): Change[] {
  const changes: Change[] = [];
  let from = '';
  let to = '';
  for (let at = 0; at < lines.length;) {
    const line = lines[at++]!;
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (line.startsWith('--- ')) from = fileName(line.slice(4));
    else if (line.startsWith('+++ ')) to = fileName(line.slice(4));
    else if (hunk !== null) {
      const [, oldLines = '1', start = '1', newLines = '1'] = hunk;
      const { before, after, next } = readHunk(lines, at, Number(oldLines), Number(newLines));
      at = next;
      changes.push({
        path: to === NO_FILE ? from : to,
        before: from === NO_FILE ? null : before,
        after,
        line: Math.max(1, Number(start)),
      });
    }
  }
  return changes;
}

const NO_FILE = '/dev/null';

/** The header counts the lines of both sides; a line that itself looks like a header is told apart by that. */
function readHunk(
  lines: readonly string[],
  from: number,
  oldLines: number,
  newLines: number,
): { before: string; after: string; next: number } {
  const before: string[] = [];
  const after: string[] = [];
  let at = from;
  for (; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.startsWith('\\')) {
      const isRemoved = lines[at - 1]!.startsWith('-');
      const isAdded = lines[at - 1]!.startsWith('+');
      if (!isAdded) withoutEnd(before);
      if (!isRemoved) withoutEnd(after);
      continue;
    }
    if (before.length >= oldLines && after.length >= newLines) break;
    const [mark, text] = [line[0], `${line.slice(1)}\n`];
    if (mark === '-' || mark === ' ') before.push(text);
    if (mark === '+' || mark === ' ') after.push(text);
  }
  return { before: before.join(''), after: after.join(''), next: at };
}

function withoutEnd(lines: string[]): void {
  const last = lines.at(-1);
  if (last !== undefined) lines[lines.length - 1] = last.slice(0, -1);
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** A name with quotes, controls or letters beyond ASCII is written as C would, its bytes in octal. */
export function fileName(written: string): string {
  if (!/^".*"$/.test(written)) return written;
  const bytes: number[] = [];
  for (const [, octal, letter, plain] of written.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\])/gu))
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(ESCAPES[letter] ?? letter.charCodeAt(0));
    else bytes.push(...Buffer.from(plain!));
  return Buffer.from(bytes).toString('utf8');
}
