import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
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

/** A folder that may hold agents. */
export interface AgentFolder {
  path: string;
  origin: Exclude<AgentOrigin, 'built-in'>;
  /** Files there are written for Claude Code. */
  isForeign: boolean;
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
 * A project that is not trusted can make agents stricter and not looser: what its files allow is left out.
 */
export async function findAgents(places: AgentPlaces): Promise<FoundAgents> {
  const problems: AgentProblem[] = [];
  const builtIn = builtInAgents();
  const files: FoundAgentFile[] = [];
  for (const folder of agentFolders(places)) files.push(...(await agentFilesIn(folder, problems)));
  if (files.length === 0) return { agents: builtIn, problems };

  const { readAgents } = await import('./read-agents.ts'); // Most people have none of their own.
  const isTrusted = async () => (await places.isTrusted?.(places.root)) ?? false;
  const read = await readAgents(files, builtIn, isTrusted);
  return { agents: read.agents, problems: [...read.problems, ...problems] };
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

async function agentFilesIn(folder: AgentFolder, problems: AgentProblem[]): Promise<FoundAgentFile[]> {
  try {
    const names = await readdir(folder.path);
    return names
      .filter((name) => name.endsWith('.md') && !name.startsWith('.') && name.toLowerCase() !== 'readme.md')
      .toSorted()
      .map((name) => ({ path: join(folder.path, name), folder }));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Only who named a folder expects it to be there.
    if (code !== 'ENOENT' || folder.origin === 'configured')
      problems.push({ path: folder.path, reason: `the folder cannot be read: ${message}` });
    return [];
  }
}
