import { join } from 'node:path';
import { listProjectFolder } from '@dragoman/server/files';
import { configuredFolder } from '../config/configured-folder.ts';
import { foldersDown } from '../instructions/folders-down.ts';
import type { AgentDefinition, AgentOrigin } from './agent-definition.ts';
import { builtInAgents } from './built-in-agents.ts';

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
  /** Further folders, from the configuration; relative ones start at the project, `~/` is home. */
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

/** A folder that may hold agents. */
export interface AgentFolder {
  path: string;
  origin: Exclude<AgentOrigin, 'built-in'>;
  /** Files there are written for Claude Code. */
  isForeign: boolean;
  /** The project that its files must really be in; undefined where they are the person's own. */
  project: string | undefined;
}

/** A file that should be an agent. */
export interface FoundAgentFile {
  path: string;
  folder: AgentFolder;
}

/**
 * Finds the agents: those that are built in, and Markdown files in the project (the nearest folder first), at home, and
 * where the configuration says. Of two with one name the first counts and the other is reported, as is every file that
 * cannot be read. A file named like a built-in agent changes what it says and leaves the rest.
 *
 * A project that is not trusted can make agents stricter and not looser: what its files allow is left out, an agent that is
 * built in keeps its prompt and its model, and one of the person's own comes before one of that name in the project.
 */
export async function findAgents(places: AgentPlaces): Promise<FoundAgents> {
  const problems: AgentProblem[] = [];
  const builtIn = builtInAgents();
  const files = agentFolders(places).flatMap((folder) => agentFilesIn(folder, problems));
  if (files.length === 0) return { agents: builtIn, problems };

  const ofProject = files.filter(({ folder }) => folder.project !== undefined);
  const isTrusted = ofProject.length > 0 && ((await places.isTrusted?.(places.root)) ?? false);
  const own = files.filter(({ folder }) => folder.project === undefined);
  const { readAgents } = await import('./read-agents.ts'); // Most people have none of their own.
  const read = await readAgents(isTrusted ? files : [...own, ...ofProject], builtIn, isTrusted);
  return { agents: read.agents, problems: [...read.problems, ...problems] };
}

function agentFolders({ cwd, root, home, folders = [] }: AgentPlaces): AgentFolder[] {
  const at = (base: string, origin: AgentFolder['origin'], project?: string): AgentFolder[] => [
    { path: join(base, '.dragoman', 'agents'), origin, isForeign: false, project },
    { path: join(base, '.claude', 'agents'), origin, isForeign: true, project },
  ];
  const user: AgentFolder[] = [
    { path: join(home, '.config', 'dragoman', 'agents'), origin: 'user', isForeign: false, project: undefined },
    ...at(home, 'user'),
  ];
  // Whoever works in their home folder meets their own agents there.
  const own = new Set(user.map(({ path }) => path));
  const [top, ...down] = foldersDown(root, cwd);
  const project = [top!, ...down].toReversed().flatMap((folder) => at(folder, 'project', top));
  const configured = folders.map((named): AgentFolder => ({
    ...configuredFolder(named, { root, home }),
    origin: 'configured',
    isForeign: false,
  }));
  return [...project.filter(({ path }) => !own.has(path)), ...user, ...configured];
}

function agentFilesIn(folder: AgentFolder, problems: AgentProblem[]): FoundAgentFile[] {
  try {
    const names = listProjectFolder(folder.path, folder.project);
    // Only who named a folder expects it to be there.
    if (names === undefined && folder.origin === 'configured') throw new Error('ENOENT: no such folder');
    return (names ?? [])
      .filter((name) => name.endsWith('.md') && !name.startsWith('.') && name.toLowerCase() !== 'readme.md')
      .map((name) => ({ path: join(folder.path, name), folder }));
  } catch (error) {
    problems.push({ path: folder.path, reason: `the folder cannot be read: ${(error as Error).message}` });
    return [];
  }
}
