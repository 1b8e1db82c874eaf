import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { listProjectFolder, ProjectFileError, readProjectFile, realInProject } from '@dragoman/server/files';
import { configuredFolder } from '../config/configured-folder.ts';
import { isBelow } from '../instructions/folders-down.ts';
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
  /** Whether the project's skills come before the person's own of the same name. Not, where nothing is said. */
  isTrusted?: () => boolean | Promise<boolean>;
}

const MAX_BYTES = 1_000_000;

/**
 * The skills of the project, from the working folder upwards, then those of the person, then configured folders; by name in
 * each folder. Of two with one name the first is used and the other is reported; a project that is not trusted comes last.
 * The same places always give the same set.
 *
 * Cheap enough to be asked again before every use: what did not change is not read again.
 */
export async function findSkills(places: SkillPlaces): Promise<SkillSet> {
  const folders = await foldersOf(places);
  const ofProject = folders.flatMap(placeWithoutLinks);
  const found = await Promise.all(folders.map((place) => filesIn(place, ofProject)));
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
  /** The project that it belongs to; undefined where it is the person's own. */
  project: string | undefined;
}

interface FoundFile {
  path: string;
  folder: string;
  read: ParsedSkill | SkillProblem;
}

interface SkillFolder {
  path: string;
  /** The configuration names it, so it may be a skill itself. */
  isNamed: boolean;
}

interface FoundSkills {
  files: FoundFile[];
  problem?: SkillProblem;
  origin: Place['origin'];
}

const PROJECT_FOLDERS = ['.dragoman/skills', '.claude/skills', '.agents/skills'];
const USER_FOLDERS = ['.config/dragoman/skills', '.claude/skills', '.agents/skills'];

async function foldersOf({ cwd, root, home, folders, isTrusted }: SkillPlaces): Promise<Place[]> {
  const way = upwards(cwd, root);
  const found = [
    ...way.flatMap((folder) => below(folder, PROJECT_FOLDERS, 'project', way.at(-1))),
    ...below(home, USER_FOLDERS, 'user'),
    ...folders.map((named): Place => {
      const { path, project } = configuredFolder(named, { root, home });
      return { folder: path, origin: 'configured', project };
    }),
  ];
  if ((await isTrusted?.()) === true) return found;
  return [
    ...found.filter(({ project }) => project === undefined),
    ...found.filter(({ project }) => project !== undefined),
  ];
}

function below(base: string, folders: readonly string[], origin: Place['origin'], project?: string): Place[] {
  return folders.map((folder) => ({ folder: join(base, folder), origin, project }));
}

/** From the working folder to the project; the working folder alone when it is not in the project. */
function upwards(cwd: string, root: string): string[] {
  const way = relative(root, cwd);
  if (way === '' || way.startsWith('..')) return [cwd];
  return [cwd, ...upwards(dirname(cwd), root)];
}

async function filesIn({ folder, origin, project }: Place, skillFolders: readonly SkillFolder[]): Promise<FoundSkills> {
  const refuse = (kind: SkillProblem['kind'], why: string): FoundSkills => ({
    files: [],
    origin,
    problem: { kind, path: folder, reason: `the folder cannot be read (${why})` },
  });
  let names: string[] | undefined;
  try {
    names = listProjectFolder(folder, project);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTDIR') return refuse('broken', code ?? message);
  }
  if (names === undefined) return origin === 'configured' ? refuse('missing', 'ENOENT') : { files: [], origin };
  // A configured folder may be a skill itself.
  const folders = [
    ...(origin === 'configured' && names.includes('SKILL.md') ? [folder] : []),
    ...names.map((name) => join(folder, name)),
  ];
  const files = await Promise.all(folders.map((path) => fileIn(path, project, skillFolders)));
  return { files: files.filter((file) => file !== undefined), origin };
}

async function fileIn(
  folder: string,
  project: string | undefined,
  skillFolders: readonly SkillFolder[],
): Promise<FoundFile | undefined> {
  const path = join(folder, 'SKILL.md');
  try {
    const real = realInProject(path, project);
    const state = real === undefined ? undefined : statSync(real, { bigint: true, throwIfNoEntry: false });
    // Folders without a skill, and files beside them.
    if (real === undefined || state?.isFile() !== true) return undefined;
    const place = realpathSync.native(folder);
    // A script sees all of its skill's folder, and a link could make that the whole project.
    if (project !== undefined && !(isBelow(place, real) && skillFolders.some((skills) => isSkillOf(skills, place))))
      throw new ProjectFileError('it is a link that leads out of the folder for skills, and is not read');
    const { size, mtimeNs, dev, ino } = state;
    return { path, folder: place, read: await remembered(path, project, `${real} ${size} ${mtimeNs} ${dev} ${ino}`) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === undefined ? message : `the file cannot be read (${code})`;
    return { path, folder, read: { kind: 'broken', path, reason } };
  }
}

/**
 * Where a project's folder for skills is, unless it is a link. Some link from one to another, so that several programs find
 * the same skills; a link to anywhere else would make skills of folders that are none.
 */
function placeWithoutLinks({ folder, origin, project }: Place): SkillFolder[] {
  if (project === undefined) return [];
  return [{ path: join(realpathSync.native(project), relative(project, folder)), isNamed: origin === 'configured' }];
}

function isSkillOf({ path, isNamed }: SkillFolder, place: string): boolean {
  return isBelow(path, place) && (isNamed || place !== path);
}

/** What the files said when they were last read; the state of a file tells whether that is still so. */
const memory = new Map<string, { state: string; read: ParsedSkill | SkillProblem }>();
const MAX_REMEMBERED = 5000;

async function remembered(
  path: string,
  project: string | undefined,
  state: string,
): Promise<ParsedSkill | SkillProblem> {
  const known = memory.get(path);
  if (known?.state === state) return known.read;
  const read = await readSkill(path, project);
  if (memory.size >= MAX_REMEMBERED) memory.clear();
  memory.set(path, { state, read });
  return read;
}

async function readSkill(path: string, project: string | undefined): Promise<ParsedSkill | SkillProblem> {
  const file = readProjectFile(path, { project, maxBytes: MAX_BYTES });
  if (file === undefined) return { kind: 'broken', path, reason: 'the file is gone' };
  const { parseSkill, SkillFileError } = await import('./parse-skill.ts'); // Many places have no skills.
  try {
    return await parseSkill(file.bytes.toString('utf8'), path);
  } catch (error) {
    if (!(error instanceof SkillFileError)) throw error;
    return { kind: 'broken', path, line: error.line, reason: error.reason };
  }
}
