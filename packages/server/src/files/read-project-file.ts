import { closeSync, opendirSync, readSync, realpathSync, type Stats } from 'node:fs';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { isSecretFile } from '@dragoman/protocol/secrets';
import { inFolder, MovedFileError, openReal } from './open-real.ts';

/** A file as it was read. */
export interface ProjectFile {
  /** Its path without links. */
  real: string;
  bytes: Buffer;
  stats: Stats;
}

/** Whose file it is, and how much of it is read. */
export interface ProjectFileOptions {
  /** The folder that the file must really be in. Undefined for a person's own file, whose links are the person's will. */
  project: string | undefined;
  maxBytes: number;
  /** Reads the beginning of a file that is larger than the limit, instead of refusing it. */
  isBeginningEnough?: boolean;
}

/** Why a file of a project is not read, as the end of a sentence about it. */
export class ProjectFileError extends Error {
  override readonly name = 'ProjectFileError';
}

/** A folder with more entries is not one that a person wrote. */
const MOST_ENTRIES = 10_000;
/** An editor may put a new file in place of the old one while we open it, but hardly so often. */
const MOST_TRIES = 3;

/**
 * Reads a file that a project brings along and that nobody asked for by name: instructions, agents, skills, ignore rules.
 * Nothing where there is none.
 *
 * What stands in such a file goes to a model or decides what we do, and the project may come from a stranger. So a link
 * that leads out of the project or into `.git` is refused, as is a file that is made to hold secrets, by its own name or
 * the one it is linked from; a pipe or a device does not keep us waiting; and what was checked is what is read.
 */
export function readProjectFile(path: string, options: ProjectFileOptions): ProjectFile | undefined {
  for (let tries = 1; ; tries++) {
    try {
      const real = realInProject(path, options.project);
      return real === undefined ? undefined : readReal(real, options);
    } catch (error) {
      if (isAbsent(error)) return undefined;
      if (!(error instanceof MovedFileError) || tries === MOST_TRIES) throw error;
    }
  }
}

/** The names in a folder that a project brings along, in order. Nothing where there is none. */
export function listProjectFolder(path: string, project: string | undefined): string[] | undefined {
  const real = realInProject(path, project);
  if (real === undefined) return undefined;
  return inFolder(real, (place) => {
    const names: string[] = [];
    const folder = opendirSync(place);
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync())
        if (names.push(entry.name) === MOST_ENTRIES) break;
    } finally {
      folder.closeSync();
    }
    return names.sort();
  });
}

/** Where a path of a project really leads; nothing where it leads nowhere. See `readProjectFile` for what is refused. */
export function realInProject(path: string, project: string | undefined): string | undefined {
  let real: string;
  try {
    real = realpathSync.native(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  if (project === undefined) return real;
  const inside = partsBelow(realpathSync.native(project), real);
  if (inside === undefined)
    throw new ProjectFileError('it is a link that points outside the project, so it is not read');
  const named = partsBelow(resolve(project), resolve(path)) ?? [basename(path)];
  if (inside.some(isGitFolder) && !named.some(isGitFolder))
    throw new ProjectFileError('it is a link into .git, so it is not read');
  if ([inside, named].some((parts) => isSecretFile(parts.join('/'))))
    throw new ProjectFileError('it is a file meant for secrets, so it is not read');
  return real;
}

function readReal(real: string, { maxBytes, isBeginningEnough = false }: ProjectFileOptions): ProjectFile {
  const { fd, stats } = openReal(real);
  try {
    if (!stats.isFile()) throw new ProjectFileError('it is not a file');
    // A file may grow while it is read, and those of the system say that they are empty.
    const room = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(stats.size, 4096)) + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < room.length; length += read)
      read = readSync(fd, room, length, room.length - length, null);
    const size = Math.max(stats.size, length);
    if (size > maxBytes && !isBeginningEnough)
      throw new ProjectFileError(`it is ${size} bytes; the limit is ${maxBytes}`);
    return { real, bytes: room.subarray(0, Math.min(length, maxBytes)), stats };
  } finally {
    closeSync(fd);
  }
}

/** The parts of a path below a folder; nothing where it is elsewhere. */
function partsBelow(folder: string, path: string): string[] | undefined {
  const way = relative(folder, path);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return undefined;
  return way.split(sep);
}

function isGitFolder(name: string): boolean {
  return name.toLowerCase() === '.git';
}

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
