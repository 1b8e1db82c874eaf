import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { ParsedSkill } from './parse-skill.ts';

/** A skill that can be used. */
export interface Skill extends ParsedSkill {
  /** The folder it is in, where links have been followed. */
  folder: string;
  /** Its SKILL.md, as it was found. */
  path: string;
  origin: 'project' | 'user' | 'configured';
}

/** Something a person should know about a file or a folder. Only what is `broken` is not there. */
export interface SkillProblem {
  kind: 'broken' | 'shadowed' | 'misnamed' | 'missing';
  path: string;
  line?: number;
  reason: string;
}

/** What was found, in the order of precedence. */
export interface SkillSet {
  skills: readonly Skill[];
  problems: readonly SkillProblem[];
}

/** Where to look. */
export interface SkillPlaces {
  cwd: string;
  /** The project: no folder above it is looked into. */
  root: string;
  home: string;
  /** Folders named in the configuration: absolute, below `~/`, or relative to the project. */
  folders: readonly string[];
}

const MAX_BYTES = 1_000_000;

/**
 * The skills of the project, from the working folder upwards, then those of the person, then configured folders; by name in
 * each folder. Of two with one name the first is used and the other is reported. The same places always give the same set.
 *
 * Cheap enough to be asked again before every use: what did not change is not read again.
 */
export async function findSkills(places: SkillPlaces): Promise<SkillSet> {
  const found = await Promise.all(foldersOf(places).map(filesIn));
  const skills = new Map<string, Skill>();
  const problems: SkillProblem[] = [];
  const seen = new Set<string>();

  for (const { files, problem, origin } of found) {
    if (problem !== undefined) problems.push(problem);
    for (const { path, folder, read } of files) {
      // The project may be the home folder, and a link may lead to where we have been.
      if (seen.has(folder)) continue;
      seen.add(folder);
      if ('reason' in read) problems.push(read);
      else add({ ...read, folder, path, origin });
    }
  }
  return { skills: [...skills.values()], problems };

  function add(skill: Skill): void {
    const { name, path } = skill;
    const first = skills.get(name);
    if (first !== undefined) {
      problems.push({ kind: 'shadowed', path, reason: `the skill "${name}" of ${first.path} is used instead` });
      return;
    }
    skills.set(name, skill);
    const folderName = basename(dirname(path));
    if (folderName !== name)
      problems.push({
        kind: 'misnamed',
        path,
        reason: `its name is "${name}" and its folder is "${folderName}"; the name counts, and the folder should have it`,
      });
  }
}

interface Place {
  folder: string;
  origin: Skill['origin'];
}

interface FoundFile {
  path: string;
  folder: string;
  read: ParsedSkill | SkillProblem;
}

const PROJECT_FOLDERS = ['.dragoman/skills', '.claude/skills', '.agents/skills'];
const USER_FOLDERS = ['.config/dragoman/skills', '.claude/skills', '.agents/skills'];

function foldersOf({ cwd, root, home, folders }: SkillPlaces): Place[] {
  return [
    ...upwards(cwd, root).flatMap((folder) => below(folder, PROJECT_FOLDERS, 'project')),
    ...below(home, USER_FOLDERS, 'user'),
    ...folders.map((folder): Place => ({ folder: configured(folder, root, home), origin: 'configured' })),
  ];
}

function below(base: string, folders: readonly string[], origin: Place['origin']): Place[] {
  return folders.map((folder) => ({ folder: join(base, folder), origin }));
}

/** From the working folder to the project; the working folder alone when it is not in the project. */
function upwards(cwd: string, root: string): string[] {
  const way = relative(root, cwd);
  if (way === '' || way.startsWith('..')) return [cwd];
  return [cwd, ...upwards(dirname(cwd), root)];
}

function configured(folder: string, root: string, home: string): string {
  if (folder === '~') return home;
  return folder.startsWith('~/') ? join(home, folder.slice(2)) : resolve(root, folder);
}

async function filesIn({
  folder,
  origin,
}: Place): Promise<{ files: FoundFile[]; problem?: SkillProblem; origin: Place['origin'] }> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR';
    if (isAbsent && origin !== 'configured') return { files: [], origin };
    const kind = isAbsent ? 'missing' : 'broken';
    return { files: [], origin, problem: { kind, path: folder, reason: `the folder cannot be read (${code})` } };
  }
  // A configured folder may be a skill itself.
  const folders = [
    ...(origin === 'configured' && names.includes('SKILL.md') ? [folder] : []),
    ...names.toSorted().map((name) => join(folder, name)),
  ];
  const files = await Promise.all(folders.map(fileIn));
  return { files: files.filter((file) => file !== undefined), origin };
}

async function fileIn(folder: string): Promise<FoundFile | undefined> {
  const path = join(folder, 'SKILL.md');
  try {
    const { size, mtimeNs, isFile } = await fileState(path);
    if (!isFile) return undefined;
    return { path, folder: await realpath(folder), read: await remembered(path, `${size} ${mtimeNs}`, size) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Folders without a skill, and files beside them.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { path, folder, read: { kind: 'broken', path, reason: `the file cannot be read (${code})` } };
  }
}

async function fileState(path: string): Promise<{ size: bigint; mtimeNs: bigint; isFile: boolean }> {
  const state = await stat(path, { bigint: true });
  return { size: state.size, mtimeNs: state.mtimeNs, isFile: state.isFile() };
}

/** What the files said when they were last read; the state of a file tells whether that is still so. */
const memory = new Map<string, { state: string; read: ParsedSkill | SkillProblem }>();
const MAX_REMEMBERED = 5000;

async function remembered(path: string, state: string, size: bigint): Promise<ParsedSkill | SkillProblem> {
  const known = memory.get(path);
  if (known?.state === state) return known.read;
  const read = await readSkill(path, size);
  if (memory.size >= MAX_REMEMBERED) memory.clear();
  memory.set(path, { state, read });
  return read;
}

async function readSkill(path: string, size: bigint): Promise<ParsedSkill | SkillProblem> {
  if (size > MAX_BYTES)
    return { kind: 'broken', path, reason: `the file has ${size} bytes; the limit is ${MAX_BYTES}` };
  const { parseSkill, SkillFileError } = await import('./parse-skill.ts'); // Many places have no skills.
  try {
    return await parseSkill(await readFile(path, 'utf8'), path);
  } catch (error) {
    if (!(error instanceof SkillFileError)) throw error;
    return { kind: 'broken', path, line: error.line, reason: error.reason };
  }
}
