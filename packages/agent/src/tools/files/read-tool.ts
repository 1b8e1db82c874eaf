import { closeSync, read, type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { promisify } from 'node:util';
import { openReal } from '@dragoman/server/files';
import { z } from 'zod';
import { Tool, ToolError } from '../tool.ts';
import { toFileFailure } from './file-failure.ts';
import { LineWindow } from './line-window.ts';
import { listFolder } from './list-folder.ts';
import { type MediaKind, mediaKind, mediaUrl } from './media-kind.ts';
import { type AlwaysReadable, permittedPath } from './permitted-path.ts';
import { readReal } from './read-real.ts';
import { isInFolders, pathSubjects, type ResolvedPath, resolvePath } from './resolve-path.ts';
import { fileVersion, type SeenFiles } from './seen-files.ts';
import { decodeText, sniffEncoding, type TextEncoding } from './text-encoding.ts';

const MAX_LINES = 2000;
const MAX_LINE_LENGTH = 2000;
const MAX_BYTES = 50 * 1024;
/** Up to here a file is read at once; beyond, in pieces and only as far as is asked for. */
const MAX_WHOLE_BYTES = 256 * 1024;
const PIECE_BYTES = 64 * 1024;
const readPiece = promisify(read);

const parameters = z.object({
  filePath: z.string().describe('The file or folder: absolute, or relative to the working folder.'),
  offset: z.number().int().min(0).optional().describe('The line to begin at, counted from 1.'),
  limit: z.number().int().min(1).optional().describe(`How many lines at most; ${MAX_LINES} where nothing is said.`),
});
type ReadInput = z.infer<typeof parameters>;

/** What reading needs: where to note what was seen, and the folders that are always open to it. */
export interface ReadToolOptions {
  seen: SeenFiles;
  alwaysReadable?: AlwaysReadable | undefined;
}

/** Shows a file, a folder's list, an image or a PDF. What was read is noted, so that edits know what the model knows. */
export function readTool({ seen, alwaysReadable = () => [] }: ReadToolOptions): Tool.Info<ReadInput> {
  return Tool.define({
    id: 'read',
    description: [
      'Reads a file. Each line is shown as its number, a tab, and the line exactly as it stands; the number and the tab are not part of the file.',
      `At most ${MAX_LINES} lines, ${MAX_LINE_LENGTH} characters of a line and ${MAX_BYTES / 1024} KB are shown; what was left out is said, and offset and limit read on.`,
      'A folder is listed. Images (PNG, JPEG, GIF, WebP) and PDF files are attached, so that you see them.',
    ].join('\n'),
    parameters,
    isReadOnly: true,
    subjects({ filePath }, context) {
      const path = resolvePath(context, filePath);
      return isInFolders(path.real, alwaysReadable(context)) ? [] : pathSubjects(context, path);
    },
    async execute(input, context) {
      const path = await permittedPath(context, input.filePath, alwaysReadable);
      try {
        const stats = statSync(path.real);
        if (stats.isDirectory()) return readFolder(path, input);
        if (!stats.isFile()) throw new ToolError(`${path.shown} is a device, a pipe or a socket, and cannot be read.`);
        const isSmall = stats.size > 0 && stats.size <= MAX_WHOLE_BYTES;
        const whole = isSmall ? readReal(path.real) : undefined;
        seen.note(context.sessionID, path.real, fileVersion(stats, whole));
        return whole === undefined
          ? await readInPieces(path, stats, input, context.abort)
          : readWhole(path, stats, input, whole);
      } catch (error) {
        throw toFileFailure(error, path);
      }
    },
  });
}

function readWhole(path: ResolvedPath, stats: Stats, input: ReadInput, bytes: Buffer): Tool.Result {
  const kind = mediaKind(bytes);
  if (kind !== undefined) return showMedia(path, kind, stats.size);
  const decoded = decodeText(bytes);
  if (decoded === undefined) throw binary(path, stats.size);
  const window = newWindow(input);
  window.push(decoded.text);
  window.finish();
  return showLines(path, input, window, decoded.encoding, window.count);
}

async function readInPieces(
  path: ResolvedPath,
  stats: Stats,
  input: ReadInput,
  abort: AbortSignal,
): Promise<Tool.Result> {
  const { fd } = openReal(path.real);
  try {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    let { bytesRead } = await readPiece(fd, buffer, 0, PIECE_BYTES, null);
    const head = buffer.subarray(0, bytesRead);
    const kind = mediaKind(head);
    if (kind !== undefined) return showMedia(path, kind, stats.size);
    const encoding = sniffEncoding(head);
    if (encoding === 'binary') throw binary(path, stats.size);
    const window = newWindow(input);
    const decode = pieceDecoder(encoding);
    let isFirst = true;
    while (bytesRead > 0 && window.cutBy === undefined) {
      if (abort.aborted) throw new ToolError(`Reading ${path.shown} was cancelled.`);
      const text = decode(buffer.subarray(0, bytesRead));
      window.push(isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text);
      isFirst = false;
      ({ bytesRead } = await readPiece(fd, buffer, 0, PIECE_BYTES, null));
    }
    window.finish();
    return showLines(path, input, window, encoding, window.cutBy === undefined ? window.count : undefined);
  } finally {
    closeSync(fd);
  }
}

function pieceDecoder(encoding: TextEncoding): (bytes: Buffer) => string {
  if (encoding === 'utf16be') {
    const decoder = new StringDecoder('utf16le');
    // Pieces have an even length but for the last, whose odd byte is half a letter.
    return (bytes) => decoder.write(bytes.subarray(0, bytes.length & ~1).swap16());
  }
  const decoder = new StringDecoder(encoding === 'utf8-bom' ? 'utf8' : encoding);
  return (bytes) => decoder.write(bytes);
}

function newWindow({ offset = 1, limit = MAX_LINES }: ReadInput): LineWindow {
  return new LineWindow({
    offset: Math.max(1, offset),
    limit: Math.min(limit, MAX_LINES),
    maxLineLength: MAX_LINE_LENGTH,
    maxBytes: MAX_BYTES,
  });
}

function showLines(
  path: ResolvedPath,
  { offset = 1 }: ReadInput,
  window: LineWindow,
  encoding: TextEncoding,
  total: number | undefined,
): Tool.Result {
  const first = Math.max(1, offset);
  const { lines, last } = window;
  if (lines.length === 0 && first > 1)
    throw new ToolError(`${path.shown} has ${window.count} lines; offset ${first} is after its end.`);
  const notes: string[] = [];
  if (lines.length === 0) notes.push('(The file is empty.)');
  else if (window.cutBy !== undefined) {
    const why = window.cutBy === 'bytes' ? `, ${MAX_BYTES / 1024} KB at most` : '';
    notes.push(
      `(Lines ${first} to ${last}${total === undefined ? '' : ` of ${total}`}${why}. Read on with offset ${last + 1}.)`,
    );
  } else if (first > 1) notes.push(`(The file ends with line ${last}.)`);
  if (encoding === 'latin1') notes.push('(Not in UTF-8: letters beyond ASCII may be shown wrongly.)');
  return {
    title: path.title,
    output: [...lines, ...notes].join('\n'),
    metadata: { from: first, to: last, hasMore: window.cutBy !== undefined },
    isBounded: true,
  };
}

function showMedia(path: ResolvedPath, kind: MediaKind, size: number): Tool.Result {
  const url = mediaUrl(path.real, path.shown, kind, size);
  return {
    title: path.title,
    output: `${path.shown} (${kind}, ${size} bytes) is attached.`,
    attachments: [{ mime: kind, filename: basename(path.named), url, source: { type: 'file', path: path.title } }],
    isBounded: true,
  };
}

function readFolder(path: ResolvedPath, { offset = 1, limit = MAX_LINES }: ReadInput): Tool.Result {
  const entries = listFolder(path.real);
  const first = Math.max(1, offset);
  const shown = entries.slice(first - 1, first - 1 + Math.min(limit, MAX_LINES));
  const last = first - 1 + shown.length;
  const notes = entries.length === 0 ? ['(The folder is empty.)'] : [];
  if (entries.length > 0 && (first > 1 || last < entries.length))
    notes.push(
      `(Entries ${first} to ${last} of ${entries.length}.${last < entries.length ? ` Read on with offset ${last + 1}.` : ''})`,
    );
  return {
    title: path.title,
    output: [...shown, ...notes].join('\n'),
    metadata: { from: first, to: last, hasMore: last < entries.length },
  };
}

function binary(path: ResolvedPath, size: number): ToolError {
  return new ToolError(`${path.shown} is binary (${size} bytes) and cannot be shown as text.`);
}
