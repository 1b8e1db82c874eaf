import { escapeWildcard, matchesWildcard, parseWildcard } from './wildcard.ts';

const GIT_FOLDER = /(^|\/)\.git(\/|$)/i;

/** What patterns of paths need to know of the machine. */
export interface PermissionOptions {
  /** What `~` at the front of a pattern or path stands for. */
  home?: string | undefined;
  /** The file system takes `.ENV` for `.env`, as those of Windows and macOS do. */
  ignoresCase?: boolean | undefined;
}

/** A path in the one form patterns are matched against: `/` between its parts, no `.`, no `a/..`, nothing at its end. */
export function normalizePath(path: string, options: PermissionOptions = {}): string {
  return normalize(path, options, () => false);
}

/** Whether a normal path is one of the project: neither absolute nor above it. */
export function isInsideProject(path: string): boolean {
  return !path.startsWith('/') && path !== '..' && !path.startsWith('../') && !isDrive(path.split('/', 1)[0]);
}

/** Whether a normal path is a `.git` folder or lies in one: what is written there is run by git. */
export function isInGitFolder(path: string): boolean {
  return GIT_FOLDER.test(path);
}

/**
 * Reads a pattern of paths, and says of normal ones whether they match.
 *
 * Without a slash it is about the file's name, at any depth. With one it starts at the project's root, at `/`, at a drive
 * or at `~`; `./` in front says "the root" where there is no other slash. Ending in `/` or `/**` it is the folder and
 * everything below. With `isInsideOnly`, a pattern that starts at no place of its own is about the project alone, and one
 * that names no `.git` is about nothing in such a folder.
 */
export function compilePathPattern(
  pattern: string,
  { isInsideOnly = false, ...options }: PermissionOptions & { isInsideOnly?: boolean } = {},
): (path: string) => boolean {
  if (!isInsideOnly) return readPattern(pattern, false, options);
  const matches = readPattern(pattern, true, options);
  return GIT_FOLDER.test(pattern.replaceAll('\\', '/'))
    ? matches
    : (path: string) => !isInGitFolder(path) && matches(path);
}

function readPattern(pattern: string, isInsideOnly: boolean, options: PermissionOptions): (path: string) => boolean {
  if (/^\*+$/.test(pattern)) return isInsideOnly ? isInsideProject : () => true;
  const text = pattern.replaceAll('\\', '/');
  const isFolder = /\/(\*\*)?$/.test(text);
  const home = options.home === undefined ? undefined : escapeWildcard(options.home);
  const normal = normalize(text.replace(/\/\*\*$/, '/'), { ...options, home }, isWild);
  const isPlaced = !isInsideProject(normal) || normal.startsWith('?:'); // `?:/` is any drive.
  const isRooted = !isPlaced && text.startsWith('./');
  const isAbout = isRooted || (isInsideOnly && !isPlaced) ? isInsideProject : () => true;

  if (isFolder && normal === '.') return isInsideProject;
  if (isFolder) {
    const folder = normal.endsWith('/') ? normal.slice(0, -1) : normal;
    const itself = parseWildcard(folder, { hasFolders: true });
    const below = parseWildcard(`${folder}/*`, { hasFolders: true });
    return (path) => isAbout(path) && (matchesWildcard(below, path) || matchesWildcard(itself, path));
  }
  const wildcard = parseWildcard(normal, { hasFolders: true });
  if (isRooted || isPlaced || normal.includes('/')) return (path) => isAbout(path) && matchesWildcard(wildcard, path);
  return (path) => isAbout(path) && matchesWildcard(wildcard, path.slice(path.lastIndexOf('/') + 1));
}

/** What comes before a `..` is taken away with it, except where nobody knows what it stands for. */
function normalize(
  path: string,
  { home, ignoresCase }: PermissionOptions,
  isUnknown: (part: string) => boolean,
): string {
  const text = withHome(path.normalize('NFC').replaceAll('\\', '/'), home);
  const isAbsolute = text.startsWith('/');
  const parts: string[] = [];
  for (const part of text.split('/')) {
    const last = parts.at(-1);
    if (part === '' || part === '.') continue;
    if (part !== '..' || (last === undefined && !isAbsolute)) parts.push(part);
    else if (last === '..' || (last !== undefined && isUnknown(last))) parts.push(part);
    else if (parts.length > 1 || !isDrive(last)) parts.pop();
  }
  if (isDrive(parts[0])) parts[0] = parts[0]!.toLowerCase();
  const joined = parts.join('/');
  const normal = isAbsolute ? `/${joined}` : isDrive(joined) ? `${joined}/` : joined || '.';
  return ignoresCase === true ? normal.toLowerCase() : normal;
}

function withHome(path: string, home: string | undefined): string {
  if (home === undefined || !/^~(\/|$)/.test(path)) return path;
  return home.replaceAll('\\', '/') + path.slice(1);
}

function isDrive(part: string | undefined): boolean {
  return part !== undefined && /^[A-Za-z]:$/.test(part);
}

function isWild(part: string): boolean {
  return part.includes('*') || part.includes('?');
}
