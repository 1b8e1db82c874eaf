import { readFile } from 'node:fs/promises';

/**
 * Files that programs of this machine listen on, such as those that manage containers or hold keys.
 *
 * A network of its own does not keep a command from them, nor does a disk that is read-only: whoever sees such a file can talk to
 * the program behind it.
 */
export async function listeningSockets(list = '/proc/net/unix'): Promise<string[]> {
  const lines = (await readFile(list, 'utf8').catch(() => '')).split('\n');
  return [...new Set(lines.flatMap((line) => ON_DISK.exec(line)?.[1] ?? []))];
}

/** The path is the eighth field, and all that follows. Names that are not on a disk begin otherwise, and stay in their network. */
const ON_DISK = /^(?:\S+ +){6}\S+ (\/.*)$/;
