import type { StructuredPatch, StructuredPatchHunk } from 'diff';

/** What a file was and is; a side is absent where there was or is no such file. */
export interface FileChange {
  path: string;
  before: string | undefined;
  after: string | undefined;
  /** Its new path, when it moved. */
  movedTo?: string;
}

/** What changed, for screens. */
export interface ChangeSummary extends Readonly<Record<string, unknown>> {
  /** Unified. */
  diff: string;
  additions: number;
  deletions: number;
  files: string[];
  /** The diff was too long to keep in full; the counts are of all of it. */
  isDiffCut?: true;
}

const CONTEXT_LINES = 3;
/** Beyond this many changed lines the shortest diff costs more time than it is worth. */
const MAX_SEARCHED_CHANGES = 500;
const MAX_DIFF_LENGTH = 200_000;

/** Changes as one unified diff with its counts. */
export async function fileDiff(changes: readonly FileChange[]): Promise<ChangeSummary> {
  const { formatPatch, FILE_HEADERS_ONLY } = await import('diff');
  const patches = await filePatches(changes);
  const lines = patches.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  const whole = patches.map((patch) => formatPatch(patch, FILE_HEADERS_ONLY)).join('');
  const isCut = whole.length > MAX_DIFF_LENGTH;
  return {
    diff: isCut ? whole.slice(0, whole.lastIndexOf('\n', MAX_DIFF_LENGTH) + 1) : whole,
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
    files: [...new Set(changes.flatMap(({ path, movedTo }) => (movedTo === undefined ? [path] : [path, movedTo])))],
    ...(isCut ? { isDiffCut: true as const } : {}),
  };
}

/** Each change with its hunks. */
export async function filePatches(changes: readonly FileChange[]): Promise<StructuredPatch[]> {
  const { structuredPatch } = await import('diff');
  return changes.map(({ path, before, after, movedTo = path }) => {
    const oldFileName = before === undefined ? '/dev/null' : path;
    const newFileName = after === undefined ? '/dev/null' : movedTo;
    const shortest =
      before === undefined || after === undefined
        ? undefined
        : structuredPatch(oldFileName, newFileName, before, after, undefined, undefined, {
            context: CONTEXT_LINES,
            maxEditLength: MAX_SEARCHED_CHANGES,
          });
    const hunks = shortest?.hunks ?? oneHunk(before ?? '', after ?? '');
    return { oldFileName, newFileName, oldHeader: undefined, newHeader: undefined, hunks };
  });
}

/** From the first line that differs to the last: not the shortest diff, but found at once. */
function oneHunk(before: string, after: string): StructuredPatchHunk[] {
  const old = linesOf(before);
  const fresh = linesOf(after);
  const most = Math.min(old.length, fresh.length);
  let same = 0;
  while (same < most && old[same] === fresh[same]) same++;
  let tail = 0;
  while (tail < most - same && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  if (same === old.length && same === fresh.length) return [];
  const from = Math.max(0, same - CONTEXT_LINES);
  const removed = old.slice(same, old.length - tail);
  const added = fresh.slice(same, fresh.length - tail);
  const following = old.slice(old.length - tail, old.length - tail + CONTEXT_LINES);
  const around = same - from + following.length;
  return [
    {
      oldStart: from + 1,
      oldLines: around + removed.length,
      newStart: from + 1,
      newLines: around + added.length,
      lines: [
        ...old.slice(from, same).flatMap((line) => marked(' ', line)),
        ...removed.flatMap((line) => marked('-', line)),
        ...added.flatMap((line) => marked('+', line)),
        ...following.flatMap((line) => marked(' ', line)),
      ],
    },
  ];
}

/** Lines with their ends, so that one without an end differs from one with it. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function marked(mark: string, line: string): string[] {
  return line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file'];
}
