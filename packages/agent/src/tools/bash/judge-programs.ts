import type { PermissionSubject } from '@dragoman/protocol';
import {
  changedSecrets,
  type ExaminedRepository,
  examineRepository,
  gitGuard,
  type GitSetting,
  isInProject,
  isProgram,
  searchPathOutside,
  withoutGitVariables,
} from '@dragoman/server/base';
import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import { basename, delimiter, isAbsolute, resolve } from 'node:path';
import type { StartedProgram } from './command-subjects.ts';

/** Where a shell text is about to run. */
export interface ProgramPlace {
  /** The project. */
  root: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
}

/** The shell does these itself, whatever the search path says. */
const BUILTINS = new Set(['cd', 'pwd', 'echo', 'true', 'false', 'type', 'command', 'builtin', 'exec', 'time']);
/** Variables that name files which are run or loaded before a command is. */
const LOADED_FIRST = [
  'BASH_ENV',
  'LD_PRELOAD',
  'LD_AUDIT',
  'LD_LIBRARY_PATH',
  'DYLD_INSERT_LIBRARIES',
  'DYLD_LIBRARY_PATH',
];
/** Git looks for changes, also in repositories inside, and where it cannot read these it shows what it read. */
const LOOKS_FOR_CHANGES = /^git (diff|status)/;
/** Git shows what files say that have changed and are not committed. */
const SHOWS_CHANGES = /^git (diff|status .*-(\w*v|-v))/;
const SYSTEM_FOLDER = /^\/(usr\/(local\/)?)?s?bin\/|^\/opt\/homebrew\/bin\//;

/** What was found out about the programs of a shell text, with one look. */
export interface JudgedPrograms {
  /**
   * The subjects, and on those that no default may allow here why: what they say is not what would run, because a program of
   * the project is found in place of the one that is named, or git would run what the repository sets.
   */
  subjects: PermissionSubject[];
  programs: readonly StartedProgram[];
  /** What keeps git from running what the repositories set that the text works in. */
  settings: GitSetting[];
}

/** Looks at the programs that a shell text starts, and once at each folder that git would run in. */
export async function judgePrograms(
  subjects: readonly PermissionSubject[],
  programs: readonly StartedProgram[],
  place: ProgramPlace,
): Promise<JudgedPrograms> {
  const settings: GitSetting[] = [];
  const examine = oncePerFolder(async (folder) => {
    const examined = await examineRepository(folder, place.env);
    settings.push(...examined.settings);
    return examined;
  });
  const findSecrets = oncePerFolder(async (folder) => secretsChanged(folder, place.env, await examine(folder)));
  const repositories = { examine, findSecrets };
  const objections = new Map<string, string>();
  // One after the other: each may start git, and all at once they would keep everybody waiting.
  for (const program of programs) {
    const objection = await objectionTo(program, place, repositories);
    if (objection !== undefined && !objections.has(program.line)) objections.set(program.line, objection);
  }
  // What wraps another command is told as that one, so it may be about any.
  const marked = subjects.map((subject) => {
    const objection = subject.kind === 'command' ? (objections.get(subject.value) ?? objections.get('')) : undefined;
    return objection === undefined ? subject : { ...subject, beyondDefaults: objection };
  });
  return { subjects: marked, programs, settings };
}

/**
 * The environment of a text of which `byDefault` only a default allows: git runs nothing of the project in it. A text in
 * which a person allowed another git command is the person's own, for that one runs what the repository sets.
 */
export function guardedEnvironment(
  byDefault: readonly PermissionSubject[],
  { subjects, programs, settings }: JudgedPrograms,
  { root, env }: Pick<ProgramPlace, 'root' | 'env'>,
): Record<string, string> {
  const gits = programs.filter(({ name }) => name === 'git');
  const isDefault = ({ line }: StartedProgram) =>
    byDefault.some((subject) => isAbout(subject, line)) &&
    subjects.every((subject) => subject.beyondDefaults === undefined || !isAbout(subject, line));
  if (gits.length === 0 || !gits.every(isDefault)) return { ...env };
  const guarded = { ...withoutGitVariables(env), ...gitGuard(settings) };
  if (env['PATH'] !== undefined) guarded['PATH'] = searchPathOutside(env['PATH'], root); // Git starts others, such as Git LFS.
  return guarded;
}

/** What wraps another command is told as that one, so it may be about any. */
function isAbout({ kind, value }: PermissionSubject, line: string): boolean {
  return kind === 'command' && (line === '' || value === line);
}

/** The folders that git would run in, each looked at once. */
interface Repositories {
  examine(folder: string): Promise<ExaminedRepository>;
  /** Files with secrets that have changed; nothing where git fails to tell. */
  findSecrets(folder: string): Promise<string[] | undefined>;
}

function oncePerFolder<Found>(find: (folder: string) => Promise<Found>): (folder: string) => Promise<Found> {
  const known = new Map<string, Promise<Found>>();
  return (folder) => {
    const found = known.get(folder) ?? find(folder);
    known.set(folder, found);
    return found;
  };
}

async function objectionTo(
  { name, line, folders }: StartedProgram,
  place: ProgramPlace,
  repositories: Repositories,
): Promise<string | undefined> {
  const loaded = LOADED_FIRST.find((variable) => leadsIntoProject(place.env[variable], place.root));
  if (loaded !== undefined) return `${loaded} leads into the project`;
  if (BUILTINS.has(name)) return undefined;
  for (const folder of folders ?? [place.cwd]) {
    const found = findInShell(name, place.env['PATH'] ?? '', folder);
    if (found === undefined) continue;
    if (found.isRelative || isInProject(found.path, place.root)) return `${quoted(name)} is a program of the project`;
    if ((name === 'git' || line === `${name} --version`) && isShim(name, found.path))
      return `files of the project decide which ${quoted(name)} runs`;
  }
  if (name !== 'git') return undefined;
  if (folders === undefined) return 'it is unclear in which folder git would run';
  const examined = await Promise.all(folders.map(repositories.examine));
  const objection = examined.find((each) => each.objection !== undefined)?.objection;
  if (objection !== undefined || !LOOKS_FOR_CHANGES.test(line)) return objection;
  const secrets = await Promise.all(folders.map(repositories.findSecrets));
  if (secrets.includes(undefined)) return 'it is unclear what has changed';
  const first = SHOWS_CHANGES.test(line) ? secrets.flat()[0] : undefined;
  return first === undefined ? undefined : `it would show ${first}, which is made to hold secrets`;
}

async function secretsChanged(
  folder: string,
  environment: Readonly<Record<string, string>>,
  { root, settings }: ExaminedRepository,
): Promise<string[] | undefined> {
  if (root === undefined) return [];
  try {
    return await changedSecrets({ folder, environment, settings });
  } catch {
    return undefined; // A setting may stop this look, and not the diff.
  }
}

/** An entry that is no whole path, or none at all between two colons, means the working folder. */
function leadsIntoProject(value: string | undefined, root: string): boolean {
  if (value === undefined || value === '') return false;
  return value.split(/[:\s]/).some((entry) => !isAbsolute(entry) || isInProject(entry, root));
}

/** As the shell looks for it: an entry of the path that is no whole path means a folder below the working folder. */
function findInShell(
  name: string,
  searchPath: string,
  folder: string,
): { path: string; isRelative: boolean } | undefined {
  for (const entry of searchPath.split(delimiter)) {
    const path = resolve(folder, entry, name);
    if (isProgram(path)) return { path, isRelative: !isAbsolute(entry) };
  }
  return undefined;
}

/** Version managers put a script, or a link to themselves, in place of a program, and read the project's files to choose one. */
function isShim(name: string, path: string): boolean {
  if (SYSTEM_FOLDER.test(path)) return false;
  return !basename(realpathSync(path)).startsWith(name) || isScript(path);
}

function isScript(path: string): boolean {
  const start = Buffer.alloc(2);
  const file = openSync(path, 'r');
  try {
    readSync(file, start, 0, 2, 0);
  } finally {
    closeSync(file);
  }
  return start.toString('latin1') === '#!';
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
