/** A line of a change. */
export interface DiffLine {
  kind: 'context' | 'added' | 'removed';
  text: string;
  /** Its number in the file before, and in the file after. */
  oldNumber?: number;
  newNumber?: number;
  /** The file ends here without an end of the line. */
  isUnended?: boolean;
}

/** A place in a file that changed, with what is around it. */
export interface DiffHunk {
  /** What the diff says beside the place: often the function it is in. */
  heading: string;
  /** Whether the numbers of the lines are known. */
  isNumbered: boolean;
  lines: DiffLine[];
}

/** A change to a file. */
export interface ParsedDiff {
  hunks: DiffHunk[];
  added: number;
  removed: number;
  isBinary: boolean;
  /** What happened to the file beside its lines, as git says it: `new file mode 100644`. */
  notes: string[];
}

const HUNK = /^@@+ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@+ ?(.*)$/;
const NOTE =
  /^(?:new file mode|deleted file mode|old mode|new mode|rename from|rename to|copy from|copy to|similarity index)\b/;

/**
 * Reads a unified diff, as git, diff and agents write them.
 *
 * Agents write the numbers of a hunk by guess, or leave them out: within a hunk the first character of a line says what it is,
 * and the numbers only say where counting begins, and that a line such as `--- a` is not yet the next file.
 */
export function parseUnified(unified: string): ParsedDiff {
  const diff: ParsedDiff = { hunks: [], added: 0, removed: 0, isBinary: false, notes: [] };
  const lines = unified.replaceAll('\r\n', '\n').split('\n');
  if (lines.at(-1) === '') lines.pop();
  let hunk: OpenHunk | undefined;
  for (const [index, line] of lines.entries()) {
    const next = openHunk(line);
    if (next !== undefined) {
      hunk = next;
      diff.hunks.push(hunk.hunk);
    } else if (hunk !== undefined && (isPromised(hunk, line) || !isHeader(line, lines[index + 1])))
      addLine(diff, hunk, line);
    else {
      hunk = undefined;
      if (NOTE.test(line)) diff.notes.push(line);
      else if (/^(?:Binary files .* differ|GIT binary patch)$/.test(line)) diff.isBinary = true;
    }
  }
  diff.hunks = diff.hunks.filter((one) => one.lines.length > 0);
  return diff;
}

interface OpenHunk {
  hunk: DiffHunk;
  oldNumber: number;
  newNumber: number;
  /** How many lines are still to come of each file, as the hunk says. */
  oldLeft: number;
  newLeft: number;
}

function openHunk(line: string): OpenHunk | undefined {
  const [match, oldStart, oldCount = '1', newStart, newCount = '1', heading = ''] = HUNK.exec(line) ?? [];
  if (match !== undefined)
    return {
      hunk: { heading: heading.trim(), isNumbered: true, lines: [] },
      oldNumber: Number(oldStart),
      newNumber: Number(newStart),
      oldLeft: Number(oldCount),
      newLeft: Number(newCount),
    };
  if (!line.startsWith('@@')) return undefined;
  const said = line.replace(/^@@+\s*|\s*@@+$/g, '').trim();
  return { hunk: { heading: said, isNumbered: false, lines: [] }, oldNumber: 1, newNumber: 1, oldLeft: 0, newLeft: 0 };
}

/** Whether the hunk has said that there is such a line. */
function isPromised({ oldLeft, newLeft }: OpenHunk, line: string): boolean {
  if (line.startsWith('-')) return oldLeft > 0;
  return line.startsWith('+') ? newLeft > 0 : false;
}

/** Whether a line is about the next file. */
function isHeader(line: string, next: string | undefined): boolean {
  if (/^(?:diff |index [0-9a-f]|Binary files |GIT binary patch|\*\*\* |-- $)/.test(line) || NOTE.test(line))
    return true;
  return line.startsWith('--- ') && next?.startsWith('+++ ') === true;
}

function addLine(diff: ParsedDiff, open: OpenHunk, line: string): void {
  const { hunk } = open;
  if (line.startsWith('\\')) {
    const last = hunk.lines.at(-1);
    if (last !== undefined) last.isUnended = true;
    return;
  }
  const numbered = (old: boolean, fresh: boolean) =>
    hunk.isNumbered ? { ...(old && { oldNumber: open.oldNumber }), ...(fresh && { newNumber: open.newNumber }) } : {};
  if (line.startsWith('-')) {
    hunk.lines.push({ kind: 'removed', text: line.slice(1), ...numbered(true, false) });
    open.oldNumber += 1;
    open.oldLeft -= 1;
    diff.removed += 1;
  } else if (line.startsWith('+')) {
    hunk.lines.push({ kind: 'added', text: line.slice(1), ...numbered(false, true) });
    open.newNumber += 1;
    open.newLeft -= 1;
    diff.added += 1;
  } else {
    // The space of an empty line is often lost on the way.
    hunk.lines.push({ kind: 'context', text: line.startsWith(' ') ? line.slice(1) : line, ...numbered(true, true) });
    open.oldNumber += 1;
    open.newNumber += 1;
    open.oldLeft -= 1;
    open.newLeft -= 1;
  }
}
