import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { foldersDown } from '../instructions/folders-down.ts';
import type { AgentDefinition, AgentOrigin } from './agent-definition.ts';
import { builtInAgents } from './built-in-agents.ts';
import { FrontMatterError, readFrontMatter } from './front-matter.ts';
import { type AgentFile, readAgent } from './read-agent.ts';
import { readClaudeAgent } from './read-claude-agent.ts';

/** What is wrong with an agent's file, and where. */
export interface AgentProblem {
  path: string;
  line?: number;
  reason: string;
}

/** Where agents are looked for. */
export interface AgentPlaces {
  cwd: string;
  root: string;
  home: string;
  /** Further folders, from the configuration; relative ones start at the project. */
  folders?: readonly string[];
  /** Whether what the project brings along may loosen permissions. Not, where nothing is said. */
  isTrusted?: (root: string) => boolean | Promise<boolean>;
}

/** The agents there are, and the files that are none. */
export interface FoundAgents {
  /** Built-in ones first, then by name. */
  agents: AgentDefinition[];
  problems: AgentProblem[];
}

const MAX_BYTES = 64 * 1024;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/**
 * Finds the agents: those that are built in, and Markdown files in the project (the nearest folder first), at home, and
 * where the configuration says. Of two with one name the first counts and the other is reported, as is every file that
 * cannot be read. A file named like a built-in agent changes what it says and leaves the rest.
 *
 * A project that is not trusted can make agents stricter and not looser: what its files allow is left out.
 */
export async function findAgents(places: AgentPlaces): Promise<FoundAgents> {
  const problems: AgentProblem[] = [];
  const builtIn = new Map(builtInAgents().map((agent) => [agent.name, agent]));
  const found = new Map<string, AgentDefinition>();
  let isTrusted: boolean | undefined;

  for (const folder of agentFolders(places)) {
    for (const path of await agentFilesIn(folder, problems)) {
      try {
        const file = await readAgentFile(path, folder);
        const first = found.get(file.name);
        if (first !== undefined)
          throw new FrontMatterError(
            1,
            `the agent "${file.name}" is there already, from ${first.path}; this one is not used`,
          );
        if (folder.origin === 'project') {
          isTrusted ??= (await places.isTrusted?.(places.root)) ?? false;
          if (!isTrusted) dropAllowed(file, path, problems);
        }
        found.set(file.name, toAgent(file, builtIn.get(file.name), folder, path, isTrusted ?? false));
      } catch (error) {
        problems.push(toProblem(path, error));
      }
    }
  }
  const own = [...found.values()].filter(({ name }) => !builtIn.has(name));
  const named = own.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return { agents: [...[...builtIn.values()].map((agent) => found.get(agent.name) ?? agent), ...named], problems };
}

interface AgentFolder {
  path: string;
  origin: Exclude<AgentOrigin, 'built-in'>;
  /** Files there are written for Claude Code. */
  isForeign: boolean;
}

function agentFolders({ cwd, root, home, folders = [] }: AgentPlaces): AgentFolder[] {
  const at = (base: string, origin: AgentFolder['origin']): AgentFolder[] => [
    { path: join(base, '.dragoman', 'agents'), origin, isForeign: false },
    { path: join(base, '.claude', 'agents'), origin, isForeign: true },
  ];
  const user: AgentFolder[] = [
    { path: join(home, '.config', 'dragoman', 'agents'), origin: 'user', isForeign: false },
    ...at(home, 'user'),
  ];
  // Whoever works in their home folder meets their own agents there.
  const own = new Set(user.map(({ path }) => path));
  const project = foldersDown(root, cwd)
    .toReversed()
    .flatMap((folder) => at(folder, 'project'));
  const configured = folders.map((path) => ({
    path: resolve(root, path),
    origin: 'configured' as const,
    isForeign: false,
  }));
  return [...project.filter(({ path }) => !own.has(path)), ...user, ...configured];
}

async function agentFilesIn({ path, origin }: AgentFolder, problems: AgentProblem[]): Promise<string[]> {
  try {
    const names = await readdir(path);
    return names
      .filter((name) => name.endsWith('.md') && !name.startsWith('.') && name.toLowerCase() !== 'readme.md')
      .toSorted()
      .map((name) => join(path, name));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Only who named a folder expects it to be there.
    if (code !== 'ENOENT' || origin === 'configured')
      problems.push({ path, reason: `the folder cannot be read: ${message}` });
    return [];
  }
}

type NamedFile = AgentFile & { name: string };

async function readAgentFile(path: string, { isForeign }: AgentFolder): Promise<NamedFile> {
  const info = await stat(path);
  if (!info.isFile()) throw new FrontMatterError(1, 'it is not a file');
  if (info.size > MAX_BYTES)
    throw new FrontMatterError(1, `it is ${info.size} bytes; the limit for an agent is ${MAX_BYTES}`);
  const matter = await readFrontMatter(await readFile(path, 'utf8'));
  const read = isForeign ? readClaudeAgent(matter) : { ...readAgent(matter, path), name: undefined };
  const name = read.name ?? basename(path, '.md');
  if (!NAME.test(name))
    throw new FrontMatterError(
      matter.lineOf(['name']),
      `an agent is named with letters, digits, "-" and "_", 64 at most; "${name}" is not`,
    );
  return { ...read, name };
}

function dropAllowed(file: NamedFile, path: string, problems: AgentProblem[]): void {
  const allowed = (file.permissions ?? []).filter(({ action }) => action === 'allow');
  if (allowed.length === 0) return;
  file.permissions = file.permissions!.filter(({ action }) => action !== 'allow');
  const named = allowed.map(({ tool, pattern }) => (pattern === '*' ? tool : `${tool} ${pattern}`)).join(', ');
  problems.push({ path, reason: `the project is not trusted, so what the agent would allow is left out: ${named}` });
}

function toAgent(
  file: NamedFile,
  builtIn: AgentDefinition | undefined,
  { origin, isForeign }: AgentFolder,
  path: string,
  isTrusted: boolean,
): AgentDefinition {
  if (builtIn !== undefined) {
    if (isForeign) throw new FrontMatterError(1, `"${file.name}" is an agent of ours; give this one another name`);
    // What a stranger writes comes on top, so that what is denied stays denied.
    const mayReplace = origin !== 'project' || isTrusted;
    const permissions = mayReplace
      ? (file.permissions ?? builtIn.permissions)
      : [...builtIn.permissions, ...(file.permissions ?? [])];
    return { ...builtIn, ...file, permissions, origin, path };
  }
  const { description, prompt } = file;
  if (description === undefined)
    throw new FrontMatterError(1, '"description" is missing: it tells people and other agents when to use this one');
  if (prompt === undefined)
    throw new FrontMatterError(1, 'it has no text below its fields: that is what the agent is told');
  return { mode: 'all', permissions: [], ...file, description, prompt, origin, path };
}

function toProblem(path: string, error: unknown): AgentProblem {
  if (error instanceof FrontMatterError) return { path, line: error.line, reason: error.message };
  return { path, reason: error instanceof Error ? error.message : String(error) };
}
