import { join } from 'node:path';
import { DragomanError, type FileContent } from '@dragoman/protocol';
import { isSecretFile } from '@dragoman/protocol/secrets';
import { insidePath, printable } from './inside-path.ts';
import { withPlainFile } from './with-plain-file.ts';

/** More is not sent to a screen. */
export const MOST_BYTES = 1024 * 1024;

/** A file of a session's folder: all of it, or its beginning. Files that hold secrets stay on the machine. */
export async function readSessionFile(root: string, path: string): Promise<FileContent> {
  const inside = await insidePath(root, path);
  for (const name of [inside.path, inside.realPath]) refuseSecret(root, name);
  const { bytes, size, isCut } = await readBeginning(inside.real, path);
  const text = toText(bytes, isCut);
  return { path: inside.path, size, ...(text !== undefined && { text }), isCut: isCut && text !== undefined };
}

/** Refuses a file that is made to hold secrets; the folder of the session may itself be one for keys. */
export function refuseSecret(root: string, path: string): void {
  if (!isSecretFile(join(root, path))) return;
  throw new DragomanError(
    'forbidden',
    `${printable(path)} may contain secrets, so it is not shown; open it on the machine itself`,
  );
}

/** The beginning of the plain file at a real path; a link or a pipe that came in its place is not read. */
export function readBeginning(real: string, shown: string): Promise<{ bytes: Buffer; size: number; isCut: boolean }> {
  return withPlainFile(real, shown, async ({ size, read }) => {
    // One byte more tells whether there is more, also of files whose size is told as zero.
    const room = await read(0, MOST_BYTES + 1);
    const bytes = Buffer.from(room.subarray(0, MOST_BYTES));
    return { bytes, size: Math.max(size, bytes.length), isCut: room.length > MOST_BYTES };
  });
}

/** The text in bytes, or nothing where they are none: by git's rule, which is a NUL among them. */
export function toText(bytes: Buffer, isCut: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  // A character that is cut in two at the end is left out; signs of other encodings are shown as unknown.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: isCut });
}
