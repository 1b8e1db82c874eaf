import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Windows has none of the last three. A pipe would let the reader wait for ever. */
const {
  O_RDONLY,
  O_NOFOLLOW = 0,
  O_NONBLOCK = 0,
  O_DIRECTORY = 0,
} = constants as Partial<typeof constants> & typeof constants;

/** Where the system names what a process has open. */
const OPEN_FILES = existsSync('/proc/self/fd') ? '/proc/self/fd' : undefined;

/** Something else came to where a file was, between looking at its path and opening it. */
export class MovedFileError extends Error {
  override readonly name = 'MovedFileError';

  constructor(path: string) {
    super(`${path} was replaced, or a folder above it, while it was opened`);
  }
}

/**
 * Opens what is at a real path, to be read and closed by the caller. A link that came into the path after it was
 * resolved is not followed, neither at its end nor in a folder above, and a pipe does not keep us waiting.
 */
export function openReal(real: string, flags = 0): { fd: number; stats: Stats } {
  const fd = openSync(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | flags);
  try {
    const stats = fstatSync(fd);
    if (!isAt(fd, stats, real)) throw new MovedFileError(real);
    return { fd, stats };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * Works in the folder at a real path. `place` stands for that very folder until the end of `work`, whatever happens to its
 * path, where the system can say so.
 */
export function inFolder<Result>(real: string, work: (place: string) => Result): Result {
  const { fd } = openReal(real, O_DIRECTORY);
  try {
    return work(OPEN_FILES === undefined ? real : `${OPEN_FILES}/${fd}`);
  } finally {
    closeSync(fd);
  }
}

/** Makes the folder at a real path and those above it that are missing; gives back the first that it made. */
export function makeFolder(real: string): string | undefined {
  if (lstatSync(real, { throwIfNoEntry: false }) !== undefined) return undefined;
  const parent = dirname(real);
  const first = makeFolder(parent);
  inFolder(parent, (place) => mkdirSync(join(place, basename(real))));
  return first ?? real;
}

function isAt(fd: number, stats: Stats, real: string): boolean {
  const plain = resolve(real);
  if (OPEN_FILES !== undefined) return readlinkSync(`${OPEN_FILES}/${fd}`) === plain;
  const { dev, ino } = lstatSync(real);
  return dev === stats.dev && ino === stats.ino && realpathSync.native(real) === plain;
}
