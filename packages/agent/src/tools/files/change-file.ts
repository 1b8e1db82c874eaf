import { existsSync, type Stats, statSync } from 'node:fs';
import { ToolError } from '../tool.ts';
import { readReal } from './read-real.ts';
import { replaceFile } from './replace-file.ts';
import type { ResolvedPath } from './resolve-path.ts';
import { fileVersion, type SeenFiles } from './seen-files.ts';
import { decodeText, type DecodedText } from './text-encoding.ts';

const MAX_EDITED_BYTES = 20 * 1024 * 1024;

/** A file as it is before a change. */
export interface FileBefore {
  stats: Stats;
  bytes: Buffer;
  /** Absent when the file is not text. */
  decoded: DecodedText | undefined;
}

/** Whose changes these are. */
export interface Changer {
  sessionID: string;
  seen: SeenFiles;
}

/**
 * The file that is about to change; nothing when there is none yet.
 *
 * A file that changed on disk since the session last read it is refused. From here to `saveFile` nothing may wait: that is
 * what keeps two calls in one process from changing the same file between each other's reading and writing.
 */
export function fileBefore(path: ResolvedPath, { sessionID, seen }: Changer): FileBefore | undefined {
  const stats = statSync(path.real, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) throw new ToolError(`${path.shown} is a folder, not a file.`);
  if (!stats.isFile()) throw new ToolError(`${path.shown} is a device, a pipe or a socket, and cannot be changed.`);
  if (stats.size > MAX_EDITED_BYTES)
    throw new ToolError(
      `${path.shown} is ${stats.size} bytes; files up to ${MAX_EDITED_BYTES} can be changed with this tool.`,
    );
  const bytes = readReal(path.real);
  if (seen.hasChanged(sessionID, path.real, fileVersion(stats, bytes))) throw changedOnDisk(path);
  return { stats, bytes, decoded: decodeText(bytes) };
}

/** The text of a file that has some. */
export function textBefore(path: ResolvedPath, before: FileBefore): DecodedText {
  if (before.decoded === undefined)
    throw new ToolError(`${path.shown} is binary (${before.stats.size} bytes) and cannot be changed as text.`);
  return before.decoded;
}

/** Writes what the file shall be, and notes that the session knows it so. Gives back the first folder that was made for it. */
export function saveFile(
  path: ResolvedPath,
  bytes: Buffer,
  before: Stats | undefined,
  { sessionID, seen }: Changer,
): string | undefined {
  const now = before === undefined ? undefined : statSync(path.real, { throwIfNoEntry: false });
  const isOther = now?.mtimeMs !== before?.mtimeMs || now?.size !== before?.size;
  if (isOther || (before === undefined && existsSync(path.real))) throw changedOnDisk(path);
  const made = replaceFile(path.real, bytes, before);
  seen.note(sessionID, path.real, fileVersion(statSync(path.real), bytes));
  return made;
}

function changedOnDisk(path: ResolvedPath): ToolError {
  return new ToolError(`${path.shown} changed on disk since you last read it. Read it again, then make the change.`);
}
