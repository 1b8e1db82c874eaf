import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';

/** Windows has neither of them. A pipe would let the reader wait for ever. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants> & typeof constants;

/** What stands in a file, and since when. */
export interface PlainFile {
  text: string;
  /** In milliseconds. */
  writtenAt: number;
}

/**
 * Reads a small file that nobody else can have put there: a plain one that belongs to this user. A link or a pipe is
 * refused, and so is the file of somebody else. Nothing where there is none.
 */
export function readPlainFile(path: string, userId: number | undefined = process.getuid?.()): PlainFile | undefined {
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before === undefined) return undefined;
  if (!before.isFile()) throw new Error('it is not a plain file');
  let handle: number;
  try {
    handle = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const found = fstatSync(handle);
    if (!found.isFile()) throw new Error('it is not a plain file');
    if (userId !== undefined && found.uid !== userId) throw new Error('it belongs to another user');
    return { text: readFileSync(handle, 'utf8'), writtenAt: found.mtimeMs };
  } finally {
    closeSync(handle);
  }
}
