import type { Blob } from '../../blob-server.ts';
import { blobName } from '../../sync/blob-name.ts';
import { DEFAULT_MAX_BLOB_BYTES } from '../../sync/filter/check-content.ts';
import { isBlobName } from './blob-store.ts';

/** Longer than any file system allows. */
const MAX_PATH_LENGTH = 4_096;
/** How much of what was sent is repeated in a reason. */
const MAX_QUOTED = 120;

/** A blob as the wire has it, or why it is not taken. */
export type CheckedBlob = { blob: Blob } | { reason: string };

/**
 * Looks at one entry of an upload before anything of it is kept.
 *
 * A blob is known by its name from then on, to other users too, so the name must be that of this path and this content.
 * The path is shown to people and models as a place inside a workspace, so it must be one.
 */
export function checkBlob(entry: unknown, maxBytes: number = DEFAULT_MAX_BLOB_BYTES): CheckedBlob {
  if (typeof entry !== 'object' || entry === null)
    return { reason: 'A blob is an object with blob_name, path and content.' };
  const { blob_name: name, path, content } = entry as Record<string, unknown>;
  if (typeof name !== 'string' || !isBlobName(name))
    return { reason: 'blob_name: expected 64 lower-case hexadecimal digits.' };
  if (typeof path !== 'string') return { reason: 'path: expected text.' };
  const problem = pathProblem(path);
  if (problem !== undefined) return { reason: `path: ${quote(path)} ${problem}` };
  if (typeof content !== 'string') return { reason: 'content: expected text.' };
  const bytes = Buffer.byteLength(content);
  if (bytes > maxBytes) return { reason: `content: ${quote(path)} is ${bytes} bytes; the limit is ${maxBytes}.` };
  if (!content.isWellFormed())
    return { reason: `content: ${quote(path)} holds half of a character (a lone surrogate).` };
  if (content.includes('\0')) return { reason: `content: ${quote(path)} holds a NUL character.` };
  const computed = blobName(path, content);
  if (computed !== name)
    return { reason: `blob_name: that of ${quote(path)} with this content is ${computed}, the SHA-256 of both.` };
  return { blob: { blobName: name, path, content } };
}

/** Why this is not a place inside a workspace. */
function pathProblem(path: string): string | undefined {
  if (path === '') return 'is empty.';
  if (path.length > MAX_PATH_LENGTH) return `is ${path.length} characters long; the limit is ${MAX_PATH_LENGTH}.`;
  if (path.includes('\0')) return 'holds a NUL character.';
  if (!path.isWellFormed()) return 'holds half of a character (a lone surrogate).';
  if (/^(?:[/\\]|[A-Za-z]:[/\\])/.test(path)) return 'is absolute; expected a path relative to the workspace.';
  if (path.split(/[/\\]/).includes('..')) return 'leads out of the workspace with "..".';
  return undefined;
}

function quote(path: string): string {
  return JSON.stringify(path.length > MAX_QUOTED ? `${path.slice(0, MAX_QUOTED)}…` : path);
}
