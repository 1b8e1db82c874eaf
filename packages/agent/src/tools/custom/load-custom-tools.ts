import { join } from 'node:path';
import { listProjectFolder } from '@dragoman/server/files';
import { configuredFolder } from '../../config/configured-folder.ts';
import type { Tool } from '../tool.ts';

/** A folder with tools. */
export interface ToolFolder {
  path: string;
  scope: 'project' | 'user' | 'configured';
  /**
   * The project that its files came with, and must really be in: they are not yet known to be the person's will. Undefined
   * where they are the person's own.
   */
  project?: string | undefined;
}

/** What could not be loaded, and why. */
export interface CustomToolProblem {
  path: string;
  reason: string;
}

/** The tools that loaded, and what did not. */
export interface LoadedCustomTools {
  tools: Tool.Info[];
  problems: CustomToolProblem[];
}

/** Where tools are, and whose are run. */
export interface CustomToolSources {
  /** In the order in which they count: of two tools with one name the first is kept. */
  folders: readonly ToolFolder[];
  /** Whether a project's folder may run its code here. Asked only for a folder that holds tools. */
  isTrusted: (folder: string) => boolean | Promise<boolean>;
  /** How long a file may take to load, in milliseconds. */
  limitMs?: number;
}

const TOOL_FILE = /^(?![._]).*\.m?[jt]s$/;
const NO_TOOL_FILE = /\.(?:d|test|spec)\.m?[jt]s$/;
const LIMIT_MS = 10_000;

/** Where people keep tools of their own: in the project, for themselves, and where the configuration says. */
export function customToolFolders({
  root,
  home,
  configured = [],
}: {
  root: string;
  home: string;
  configured?: readonly string[];
}): ToolFolder[] {
  const user = [join(home, '.config', 'dragoman', 'tools'), join(home, '.dragoman', 'tools')];
  const project = join(root, '.dragoman', 'tools');
  return [
    // Whoever works in their home folder meets their own tools there.
    ...(user.includes(project) ? [] : [{ path: project, scope: 'project' as const, project: root }]),
    ...user.map((path) => ({ path, scope: 'user' as const })),
    ...configured.map((named) => ({ ...configuredFolder(named, { root, home }), scope: 'configured' as const })),
  ];
}

/**
 * Loads the tools that people wrote themselves. A file that is broken is reported, and the others load.
 *
 * A file that was edited since is loaded anew, so this may be called at any time; what the older version holds in
 * memory stays until the process ends.
 */
export async function loadCustomTools({
  folders,
  isTrusted,
  limitMs = LIMIT_MS,
}: CustomToolSources): Promise<LoadedCustomTools> {
  const problems: CustomToolProblem[] = [];
  const origins = new Map<string, string>();
  const tools: Tool.Info[] = [];

  for (const place of folders) {
    const { path: folder, project } = place;
    const files = toolFilesIn(place, problems);
    if (files.length === 0) continue;
    if (project !== undefined && !(await isTrusted(folder))) {
      problems.push({ path: folder, reason: untrusted(files) });
      continue;
    }
    const { loadToolFile } = await import('./load-tool-file.ts'); // Most places have no tools of their own.
    const loaded = await Promise.all(files.map((file) => loadToolFile(join(folder, file), { limitMs, project })));
    for (const { tools: found, problems: wrong, path } of loaded) {
      problems.push(...wrong);
      for (const tool of found) {
        const first = origins.get(tool.id);
        if (first === undefined) tools.push(tool);
        else
          problems.push({
            path,
            reason: `The tool "${tool.id}" is there already, from ${first}; this one is not used.`,
          });
        origins.set(tool.id, first ?? path);
      }
    }
  }
  return { tools, problems };
}

function toolFilesIn({ path, scope, project }: ToolFolder, problems: CustomToolProblem[]): string[] {
  try {
    const names = listProjectFolder(path, project);
    // Only who named a folder expects it to be there.
    if (names === undefined && scope === 'configured') throw new Error('ENOENT: no such folder');
    return (names ?? []).filter((name) => TOOL_FILE.test(name) && !NO_TOOL_FILE.test(name));
  } catch (error) {
    problems.push({ path, reason: `The folder cannot be read: ${(error as Error).message}` });
    return [];
  }
}

function untrusted(files: readonly string[]): string {
  const named = files.length > 5 ? `${files.slice(0, 5).join(', ')} and ${files.length - 5} more` : files.join(', ');
  return `The project's own tools (${named}) are code that would run here, and the project is not trusted; they are not loaded. To trust it, name its folder in "agent.tools.trustedProjects" of dragoman.json.`;
}
