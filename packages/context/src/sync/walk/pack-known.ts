import { type KnownFile, type KnownFolder } from './scan-folder.ts';

/**
 * What is known, in a form that crosses to another thread in a few milliseconds: ten thousands of objects take longer than
 * the scan they are for. Names of blobs stay behind, because a scan does not need them.
 */
export interface PackedKnown {
  paths: string;
  /** Size, mtime, ctime, inode of each file. */
  numbers: Float64Array;
  /** Bits for each file. */
  flags: Uint8Array;
  folders: string;
}

const SETTLED = 1;
const TOO_LARGE = 2;
// No path can hold it.
const BETWEEN = '\0';

export function packKnown(
  files: ReadonlyMap<string, KnownFile>,
  folders: ReadonlyMap<string, KnownFolder>,
): PackedKnown {
  const numbers = new Float64Array(files.size * 4);
  const flags = new Uint8Array(files.size);
  let index = 0;
  for (const { size, mtimeMs, ctimeMs, inode, isSettled, leftOut } of files.values()) {
    numbers[index * 4] = size;
    numbers[index * 4 + 1] = mtimeMs;
    numbers[index * 4 + 2] = ctimeMs;
    numbers[index * 4 + 3] = inode;
    flags[index] = (isSettled ? SETTLED : 0) | (leftOut === 'too-large' ? TOO_LARGE : 0);
    index++;
  }
  return { paths: [...files.keys()].join(BETWEEN), numbers, flags, folders: JSON.stringify([...folders]) };
}

export function unpackKnown(packed: PackedKnown): {
  knownFiles: ReadonlyMap<string, KnownFile>;
  knownFolders: ReadonlyMap<string, KnownFolder>;
} {
  const { paths, numbers, flags, folders } = packed;
  const knownFiles = new Map<string, KnownFile>();
  const names = flags.length === 0 ? [] : paths.split(BETWEEN);
  for (let index = 0; index < names.length; index++) {
    knownFiles.set(names[index]!, {
      size: numbers[index * 4]!,
      mtimeMs: numbers[index * 4 + 1]!,
      ctimeMs: numbers[index * 4 + 2]!,
      inode: numbers[index * 4 + 3]!,
      isSettled: (flags[index]! & SETTLED) !== 0,
      blobName: undefined,
      leftOut: (flags[index]! & TOO_LARGE) !== 0 ? 'too-large' : undefined,
    });
  }
  return { knownFiles, knownFolders: new Map(JSON.parse(folders) as [string, KnownFolder][]) };
}
