import { ToolError } from '../tool.ts';

/** One place of a file that changes. */
export interface PatchChunk {
  /** Lines after `@@` that say below what the place is, from the outside in. */
  headers: string[];
  lines: PatchLine[];
  /** The place is the end of the file. */
  isAtEnd: boolean;
}

/** A line of a chunk: one that stays, goes or comes. */
interface PatchLine {
  kind: 'context' | 'remove' | 'add';
  text: string;
}

/** What a patch does with one file. */
export type PatchOperation =
  | { type: 'add'; path: string; content: string }
  | { type: 'delete'; path: string }
  | { type: 'update'; path: string; movedTo: string | undefined; chunks: PatchChunk[] };

const FILE_MARKS = /^\*\*\* (Add|Update|Delete) File:\s*(.+?)\s*$/;
const MOVE_MARK = /^\*\*\* Move to:\s*(.+?)\s*$/;
const KINDS: Readonly<Record<string, PatchLine['kind']>> = { ' ': 'context', '-': 'remove', '+': 'add' };

/**
 * Reads a patch in the form that OpenAI's models write.
 *
 * What wraps it (a here-document, a code fence) is left aside. A patch without its end was cut off, and is refused.
 */
export function parsePatch(patchText: string): PatchOperation[] {
  const all = patchText.replaceAll('\r\n', '\n').split('\n');
  const begin = all.findIndex((line) => line.trim() === '*** Begin Patch');
  const end = all.findLastIndex((line) => line.trim() === '*** End Patch');
  if (begin === -1) throw new ToolError('The patch must begin with the line "*** Begin Patch".');
  if (end < begin)
    throw new ToolError('The patch has no line "*** End Patch", so it may have been cut off. Send all of it.');
  const lines = all.slice(begin + 1, end);
  const operations: PatchOperation[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (line.trim() === '') {
      at++;
      continue;
    }
    const mark = FILE_MARKS.exec(line);
    if (mark === null)
      throw badLine(begin + at + 2, line, 'a line "*** Add File: …", "*** Update File: …" or "*** Delete File: …"');
    const from = at + 1;
    at = from;
    while (at < lines.length && !FILE_MARKS.test(lines[at] ?? '')) at++;
    operations.push(parseOperation(mark[1] ?? '', mark[2] ?? '', lines.slice(from, at), begin + from + 2));
  }
  if (operations.length === 0) throw new ToolError('The patch changes nothing: no file is named in it.');
  return operations;
}

function parseOperation(mark: string, path: string, body: readonly string[], firstLine: number): PatchOperation {
  if (mark === 'Add') return { type: 'add', path, content: addedContent(body, firstLine) };
  if (mark === 'Update') return parseUpdate(path, body, firstLine);
  const extra = body.findIndex((line) => line.trim() !== '');
  if (extra !== -1) throw badLine(firstLine + extra, body[extra] ?? '', `nothing after "*** Delete File: ${path}"`);
  return { type: 'delete', path };
}

function addedContent(body: readonly string[], firstLine: number): string {
  const lines = body.slice(0, body.findLastIndex((line) => line !== '') + 1);
  return lines
    .map((line, index) => {
      if (!line.startsWith('+')) throw badLine(firstLine + index, line, 'a line of the new file, with "+" before it');
      return `${line.slice(1)}\n`;
    })
    .join('');
}

function parseUpdate(path: string, body: readonly string[], firstLine: number): PatchOperation {
  const movedTo = MOVE_MARK.exec(body[0] ?? '')?.[1];
  const chunks: PatchChunk[] = [];
  let open: PatchChunk | undefined;
  const begin = (): PatchChunk => {
    const chunk: PatchChunk = { headers: [], lines: [], isAtEnd: false };
    chunks.push(chunk);
    return chunk;
  };
  body.forEach((line, index) => {
    if (index === 0 && movedTo !== undefined) return;
    if (line.startsWith('@@')) {
      if (open === undefined || open.lines.length > 0 || open.isAtEnd) open = begin();
      const header = headerOf(line);
      if (header !== '') open.headers.push(header);
      return;
    }
    if (line.trimEnd() === '*** End of File') {
      open ??= begin();
      open.isAtEnd = true;
      return;
    }
    const kind = line === '' ? 'context' : KINDS[line[0] ?? ''];
    if (kind === undefined) throw badLine(firstLine + index, line, 'a line that begins with " ", "-", "+" or "@@"');
    // Blank lines between the sections of a patch belong to none of them.
    if (line === '' && body.slice(index).every((rest) => rest === '')) return;
    if (open === undefined || open.isAtEnd) {
      if (line === '') return;
      open = begin();
    }
    open.lines.push({ kind, text: line.slice(1) });
  });
  const filled = chunks.filter(({ lines }) => lines.length > 0);
  if (filled.length === 0 && movedTo === undefined)
    throw new ToolError(`The patch says nothing about what changes in ${path}.`);
  return { type: 'update', path, movedTo, chunks: filled };
}

/** What an `@@` line says. Line numbers, which ordinary diffs have there, are not to be relied on. */
function headerOf(line: string): string {
  return line
    .replace(/^@@+/, '')
    .replace(/^\s*-\d+(?:,\d+)?\s+\+\d+(?:,\d+)?\s*@@/, '')
    .replace(/@@\s*$/, '')
    .trim();
}

function badLine(number: number, line: string, expected: string): ToolError {
  return new ToolError(`Line ${number} of the patch is "${line.slice(0, 200)}"; expected ${expected}.`);
}
