import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A repository to learn from, or one that is held out to choose settings with. */
export interface Repository {
  /** As the list names it: `owner/name` at GitHub, an address that git understands, or a path. */
  name: string;
  /** What git fetches from. */
  source: string;
  /** Without one, the newest. */
  commit: string | undefined;
  /** `own` where nobody has to be asked; otherwise for the reader: what holds is what the repository's files say. */
  licence: string | undefined;
  role: 'train' | 'held-out';
}

/** The repositories that the shipped vectors were made from. */
export const SHIPPED_LIST = join(import.meta.dirname, 'repositories.tsv');

const COLUMNS = ['name', 'commit', 'licence', 'role'];

/** Reads a list of repositories: one to a line, its columns (name, commit, licence, role) apart by tabs; all but the name may be left out. */
export function readRepositoryList(file: string = SHIPPED_LIST): Repository[] {
  const known = new Map<string, { line: number; source: string }>();
  return readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .flatMap((line, index) => {
      if (line.trim() === '' || line.startsWith('#') || isHead(line)) return [];
      const place = `${file}:${index + 1}`;
      const repository = repositoryOf(line, dirname(resolve(file)), place);
      const { name, source } = repository;
      const fileName = fileNameOf(repository);
      const before = known.get(fileName);
      if (before?.source === source) throw new Error(`${place}: ${name} is on line ${before.line} already`);
      if (before !== undefined)
        throw new Error(
          `${place}: the files of ${name} would be called ${fileName}, as those of line ${before.line}; name it by another path or address`,
        );
      known.set(fileName, { line: index + 1, source });
      return [repository];
    });
}

/** How a repository's files are called in a folder: its name, or where it is on this machine, without what separates folders. */
export function fileNameOf({ name, source }: Pick<Repository, 'name' | 'source'>): string {
  const said = isPath(name)
    ? source
    : name
        .replace(/^[a-z+]+:\/\//, '')
        .replace(/[/\\]+$/, '')
        .replace(/\.git$/, '');
  return said.replace(/^[/\\]+/, '').replaceAll(/[/\\:]+/g, '+');
}

/** The names of the columns, as many as there are. */
function isHead(line: string): boolean {
  const [first, ...others] = line.split('\t').map((column) => column.trim());
  return first === COLUMNS[0] && others.every((title, index) => title === '' || title === COLUMNS[index + 1]);
}

function repositoryOf(line: string, folder: string, place: string): Repository {
  const [name = '', commit = '', licence = '', role = '', ...more] = line.split('\t').map((column) => column.trim());
  if (more.length > 0) throw new Error(`${place}: ${4 + more.length} columns; expected ${COLUMNS.join(', ')}`);
  if (commit !== '' && !/^[0-9a-f]{40}$/.test(commit))
    throw new Error(
      `${place}: "${commit}" is no commit; expected its 40 hexadecimal digits, or nothing for the newest`,
    );
  if (role !== '' && role !== 'train' && role !== 'held-out')
    throw new Error(`${place}: "${role}" is no role; expected train or held-out`);
  return {
    name,
    source: sourceOf(name, folder, place),
    commit: commit === '' ? undefined : commit,
    licence: licence === '' ? undefined : licence,
    role: role === '' ? 'train' : role,
  };
}

function sourceOf(name: string, folder: string, place: string): string {
  if (isPath(name)) return resolve(folder, name);
  if (/^[a-z+]+:\/\/|^\w+@[\w.-]+:/.test(name)) return name;
  if (/^[\w.-]+\/[\w.-]+$/.test(name)) return `https://github.com/${name}.git`;
  throw new Error(
    `${place}: "${name}" is no repository; expected owner/name, an address, or a path that begins with / or .`,
  );
}

function isPath(name: string): boolean {
  return /^\.{0,2}[/\\]|^\.{1,2}$|^[A-Z]:[/\\]/.test(name);
}
