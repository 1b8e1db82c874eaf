import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { expandTilde, literalOf, pathOf, type ShellWord } from './shell-word.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Commands whose words are files and folders. */
const FILE_COMMANDS = words(
  'cat cp mv rm ls dir touch mkdir rmdir tee cd pushd ln link unlink chmod chown chgrp dd head tail less more stat file wc ' +
    'diff cmp comm sort uniq cut paste nl tac od xxd hexdump strings base64 md5sum sha1sum sha256sum shred truncate install ' +
    'rsync scp tar zip unzip gzip gunzip zcat bzip2 xz du df tree source . find fd patch split mkfifo mknod mktemp git make ' +
    'open vi vim nano ed code readlink realpath',
);
/** Commands among whose words is a text to look for, which may look like a path. */
const SEARCH_COMMANDS = words('grep egrep fgrep rg ag sed gsed awk gawk mawk perl jq yq');
/** Files that are none. */
const NO_FILE = /^\/dev\/(null|zero|full|random|urandom|stdin|stdout|stderr|tty|fd\/\d+)$/;

/** The paths among a command's words, as written and with the home folder filled in. */
export function pathsInWords(name: string, arguments_: readonly ShellWord[], home: string): string[] {
  const isSearch = SEARCH_COMMANDS.has(name);
  if (!isSearch && !FILE_COMMANDS.has(name)) return [];
  return arguments_
    .flatMap((word) => pathsOf(word, home))
    .filter((path) => path !== '' && (!isSearch || existsSync(path)));
}

/** Whether a command's words are paths, or its words beside a text to look for are. */
export function isFileCommand(name: string): boolean {
  return name !== 'git' && name !== 'make' && (FILE_COMMANDS.has(name) || SEARCH_COMMANDS.has(name));
}

/** What is always there and keeps nothing: writing to it changes nothing. */
export function isNoFile(path: string): boolean {
  return NO_FILE.test(path);
}

/** Where paths lead, as far as that was looked up. */
export type FoundLinks = Map<string, string>;

/**
 * How permissions know a file: relative to the project when it is inside, else absolute.
 *
 * A path that leads somewhere else through links is told twice, by its name and by where it leads.
 */
export function permissionPaths(path: string, root: string, found: FoundLinks = new Map()): string[] {
  const real = fromRoot(followLinks(path, found), followLinks(resolve(root), found));
  return [...new Set([fromRoot(path, resolve(root)), real])];
}

function fromRoot(path: string, root: string): string {
  const inside = relative(root, path);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return path;
  return inside === '' ? '.' : inside.replaceAll(sep, '/');
}

/** Where a path leads; of what does not exist yet, the folder it would be made in. */
function followLinks(path: string, found: FoundLinks): string {
  const known = found.get(path) ?? lookUp(path, found);
  found.set(path, known);
  return known;
}

function lookUp(path: string, found: FoundLinks): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(followLinks(parent, found), path.slice(parent.length));
  }
}

function pathsOf(word: ShellWord, home: string): string[] {
  const path = pathOf(word, home);
  if (path === undefined) return dynamicPath(word);
  if (path.startsWith('-')) {
    // `-t/etc` and `--target-directory=/etc`.
    const attached = /^(?:--[\w-]+=|-\w+(?=[/~]))(.*)$/s.exec(path)?.[1];
    return attached === undefined ? [] : [expandTilde(attached, home) ?? attached];
  }
  const value = /^\w+=(.*)$/s.exec(path)?.[1]; // dd's `of=/dev/sda`
  return value === undefined ? [path] : [path, expandTilde(value, home) ?? value];
}

/** `/etc/$NAME` lies in `/etc`, whatever the name is. */
function dynamicPath({ pieces }: ShellWord): string[] {
  const known = literalOf({
    pieces: pieces.slice(
      0,
      pieces.findIndex(({ kind }) => kind === 'dynamic'),
    ),
  });
  return known === undefined || known === '' || known.startsWith('-') ? [] : [pieces.map(({ text }) => text).join('')];
}
