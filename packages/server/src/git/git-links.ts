import { type Dir, opendirSync } from 'node:fs';

/** Hooks do not run where somebody only looks, and many people link them; git knows nothing of what git-annex keeps. */
const NOT_LOOKED_AT = /^(modules\/.+\/)?(hooks|annex)$/;
/**
 * Where single objects are kept, often thousands. A link in place of one shows nothing: it can only lead to another object,
 * and whoever knows the name of that, a hash, knows what is in it.
 */
const OBJECTS = /^(modules\/.+\/|lfs\/)?objects\/[0-9a-f]{2}$/;
/** What may be looked at before it takes too long; to open a folder takes as long as to read many names. */
const MOST_ENTRIES = 50_000;
const ENTRIES_PER_FOLDER = 30;

/** Whether there is a link in a git directory, at any depth. Throws where it is too large to tell. */
export function hasLinks(gitFolder: string): boolean {
  const waiting = [''];
  let left = MOST_ENTRIES;
  for (let inside = waiting.pop(); inside !== undefined; inside = waiting.pop()) {
    const folder = openFolder(`${gitFolder}/${inside}`);
    if (folder === undefined) continue;
    left -= ENTRIES_PER_FOLDER;
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
        if (--left < 0) throw new Error(`${gitFolder} has too many entries`);
        const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
        if (NOT_LOOKED_AT.test(path)) continue;
        if (entry.isSymbolicLink()) return true;
        if (entry.isDirectory() && !OBJECTS.test(path)) waiting.push(path);
      }
    } finally {
      folder.closeSync();
    }
  }
  return false;
}

/** Git may remove a folder in the meantime. A name that is no text leads nowhere, too, but there is something. */
function openFolder(path: string): Dir | undefined {
  try {
    return opendirSync(path, { bufferSize: 256 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !path.includes('\ufffd')) return undefined;
    throw error;
  }
}
