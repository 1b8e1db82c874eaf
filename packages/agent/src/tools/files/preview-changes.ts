import type { StructuredPatch, StructuredPatchHunk } from 'diff';
import { type FileChange, filePatches } from './file-diff.ts';

/** What a person reads before they say yes. */
const MAX_LINES = 400;
const MAX_CHARS = 40_000;

/**
 * Changes that are planned and not made, as a unified diff. Undefined where they cannot be made, or change nothing.
 *
 * When it is too long every file keeps its names and a fair share of its lines, so that no file hides behind another; a
 * line that begins with `#` says how much of it is left out.
 */
export async function previewChanges(plan: () => readonly FileChange[]): Promise<string | undefined> {
  let changes: readonly FileChange[];
  try {
    changes = plan();
  } catch {
    return undefined; // The call itself will say what is wrong.
  }
  if (changes.length === 0) return undefined;
  const { formatPatch, FILE_HEADERS_ONLY } = await import('diff');
  const patches = await filePatches(changes);
  const room = { lines: MAX_LINES - 2 * patches.length, chars: MAX_CHARS };
  // The short ones first: what they leave over is for the others.
  const bySize = patches.toSorted((one, other) => linesIn(one) - linesIn(other));
  const shown = new Map<StructuredPatch, string>();
  for (const [index, patch] of bySize.entries()) {
    const left = patches.length - index;
    const { kept, used, leftOut } = shorten(patch, {
      lines: Math.floor(room.lines / left),
      chars: Math.floor(room.chars / left),
    });
    room.lines -= used.lines;
    room.chars -= used.chars;
    const text = formatPatch(kept, FILE_HEADERS_ONLY);
    shown.set(patch, leftOut === '' ? text : `${text}# ${leftOut}\n`);
  }
  return patches.map((patch) => shown.get(patch)).join('');
}

interface Amount {
  lines: number;
  chars: number;
}

/** As many lines from the top as there is room for; the counts of the hunks are those of what is kept. */
function shorten(patch: StructuredPatch, room: Amount): { kept: StructuredPatch; used: Amount; leftOut: string } {
  const used = { lines: 0, chars: 0 };
  const hunks: StructuredPatchHunk[] = [];
  let leftOut = 0;
  let cutChars = 0;
  for (const hunk of patch.hunks) {
    const lines: string[] = [];
    for (const line of hunk.lines) {
      const chars = room.chars - used.chars;
      if (leftOut > 0 || used.lines >= room.lines || chars <= 1) {
        leftOut++;
        continue;
      }
      const shown = line.slice(0, chars);
      cutChars += line.length - shown.length;
      lines.push(shown);
      used.lines++;
      used.chars += shown.length;
    }
    if (lines.length > 0) hunks.push(withCounts(hunk, lines));
  }
  const told = [
    ...(cutChars > 0 ? [`${cutChars} more characters of that line`] : []),
    ...(leftOut > 0 ? [`${leftOut} more ${leftOut === 1 ? 'line' : 'lines'}`] : []),
  ].join(' and ');
  return { kept: { ...patch, hunks }, used, leftOut: told === '' ? '' : `${told} not shown` };
}

function withCounts(hunk: StructuredPatchHunk, lines: string[]): StructuredPatchHunk {
  const count = (marks: string) => lines.filter((line) => marks.includes(line[0]!)).length;
  return { ...hunk, lines, oldLines: count(' -'), newLines: count(' +') };
}

function linesIn({ hunks }: StructuredPatch): number {
  return hunks.reduce((sum, { lines }) => sum + lines.length, 0);
}
