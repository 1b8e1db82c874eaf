import { ToolError } from '../tool.ts';
import { closestLines } from './closest-lines.ts';
import type { PatchChunk } from './parse-patch.ts';

interface FileLine {
  text: string;
  ending: string;
}

interface PlacedChunk {
  at: number;
  length: number;
  chunk: PatchChunk;
}

/**
 * A text with the chunks of a patch applied.
 *
 * Each is located by the lines it keeps and removes: exactly, else if `isFitted` but for whitespace at line ends, and in one
 * place only.
 * Where it stands in several, the order of the chunks and what `@@` names decide, as the format says; else it is refused.
 * Lines that stay are left as they are, byte for byte.
 */
export function applyPatchChunks(
  content: string,
  chunks: readonly PatchChunk[],
  path: string,
  isFitted = true,
): string {
  const lines = linesOf(content);
  const lineEnd = lines.find(({ ending }) => ending !== '')?.ending ?? '\n';
  const placed: PlacedChunk[] = [];
  for (const chunk of chunks) placed.push(placeChunk(lines, chunk, placed.at(-1), { path, isFitted }));
  placed.sort((a, b) => a.at - b.at);
  const result: FileLine[] = [];
  let from = 0;
  for (const { at, length, chunk } of placed) {
    if (at < from) throw new ToolError(`Two chunks of the patch change the same lines of ${path}, at line ${at + 1}.`);
    result.push(...lines.slice(from, at));
    let kept = at;
    for (const { kind, text } of chunk.lines) {
      const there = lines[kept];
      if (kind === 'add') result.push({ text, ending: lineEnd });
      else {
        if (kind === 'context' && there !== undefined) result.push(there);
        kept++;
      }
    }
    from = at + length;
  }
  result.push(...lines.slice(from));
  return joinLines(result, lineEnd, content === '' || content.endsWith('\n'));
}

function placeChunk(
  lines: readonly FileLine[],
  chunk: PatchChunk,
  previous: PlacedChunk | undefined,
  { path, isFitted }: { path: string; isFitted: boolean },
): PlacedChunk {
  const wanted = chunk.lines.flatMap(({ kind, text }) => (kind === 'add' ? [] : [text]));
  const length = wanted.length;
  if (length === 0) {
    if (chunk.isAtEnd || lines.length === 0) return { at: lines.length, length, chunk };
    throw new ToolError(
      `A chunk for ${path} only adds lines, so nothing says where. Keep a line or two of the file around it, or end it with "*** End of File".`,
    );
  }
  const present = lines.map(({ text }) => text);
  const exact = placesOf(present, wanted, chunk.isAtEnd);
  const places =
    exact.length > 0 || !isFitted ? exact : placesOf(present.map(trimmedEnd), wanted.map(trimmedEnd), chunk.isAtEnd);
  if (places.length === 0) throw notFound(present, wanted, path);
  const end = previous === undefined ? 0 : previous.at + previous.length;
  const [first = 0] = candidatesOf(present, places, chunk.headers, end, path);
  return { at: first, length, chunk };
}

/** Of several places, the one that the `@@` lines or the order of the chunks leave; throws when that is not one. */
function candidatesOf(
  present: readonly string[],
  places: readonly number[],
  headers: readonly string[],
  end: number,
  path: string,
): readonly number[] {
  const tops = headerPlaces(present, headers);
  const [only, ...others] = places;
  if (only !== undefined && others.length === 0) {
    if (tops.length === 0 || tops.some((top) => top <= only)) return places;
    throw new ToolError(
      `In ${path}, the lines of a chunk stand only above "${headers.join(' / ')}", which its @@ line names.`,
    );
  }
  const [top] = tops;
  if (top !== undefined && tops.length === 1) {
    // The place is the next one below what `@@` names.
    const below = places.filter((at) => at >= top);
    const next = below.find((at) => at >= end) ?? below[0];
    if (next !== undefined) return [next];
  }
  const after = places.filter((at) => at >= end);
  const candidates = after.length > 0 ? after : places;
  if (candidates.length === 1 && headers.length === 0) return candidates;
  throw new ToolError(
    `The lines of a chunk stand in ${path} ${places.length} times, at lines ${places.map((at) => at + 1).join(', ')}. Keep more lines around the change, or name after @@ the function or class it is in, as one line of the file that is there only once.`,
  );
}

/** The lines that the `@@` lines lead to, one below the other, for each place where the first of them stands. */
function headerPlaces(present: readonly string[], headers: readonly string[]): number[] {
  const [outer, ...inner] = headers;
  if (outer === undefined) return [];
  const ends = linesNamed(present, outer).map((start) =>
    inner.reduce<number | undefined>((from, header) => {
      if (from === undefined) return undefined;
      return linesNamed(present, header).find((at) => at >= from);
    }, start),
  );
  return [...new Set(ends.filter((end) => end !== undefined))];
}

function linesNamed(present: readonly string[], header: string): number[] {
  const indexes = (isMeant: (line: string) => boolean) =>
    present.flatMap((line, at) => (isMeant(line.trim()) ? [at] : []));
  const whole = indexes((line) => line === header);
  return whole.length > 0 ? whole : indexes((line) => line.startsWith(header));
}

function notFound(present: readonly string[], wanted: readonly string[], path: string): ToolError {
  const closest = closestLines(present.join('\n'), wanted.join('\n'));
  const near =
    closest === undefined ? 'Read the file again.' : `The lines that come closest (number, tab, line):\n${closest}`;
  return new ToolError(`These lines of the patch were not found in ${path}:\n${wanted.join('\n')}\n${near}`);
}

function placesOf(present: readonly string[], wanted: readonly string[], isAtEnd: boolean): number[] {
  const last = present.length - wanted.length;
  const found: number[] = [];
  for (let at = isAtEnd ? Math.max(0, last) : 0; at <= last; at++)
    if (wanted.every((line, index) => present[at + index] === line)) found.push(at);
  return found;
}

function trimmedEnd(line: string): string {
  return line.trimEnd();
}

function linesOf(content: string): FileLine[] {
  return Array.from(content.matchAll(/([^\n]*?)(\r?\n)|([^\n]+)$/g), ([, text, ending, last]) => ({
    text: text ?? last ?? '',
    ending: ending ?? '',
  }));
}

function joinLines(lines: readonly FileLine[], lineEnd: string, hasFinalEnd: boolean): string {
  return lines
    .map(({ text, ending }, index) => {
      if (index < lines.length - 1) return text + (ending || lineEnd);
      return hasFinalEnd ? text + (ending || lineEnd) : text;
    })
    .join('');
}
