import { statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { realInProject } from '@dragoman/server/files';
import type { Tool } from '../tool.ts';
import type { CustomToolProblem, LoadedCustomTools } from './load-custom-tools.ts';
import { toCustomTool } from './to-custom-tool.ts';

/** The tools of one file, or what is wrong with it. A file that was edited since is loaded anew. */
export async function loadToolFile(
  path: string,
  { limitMs, project }: { limitMs: number; project: string | undefined },
): Promise<LoadedCustomTools & { path: string }> {
  try {
    const real = realInProject(path, project);
    const stats = real === undefined ? undefined : statSync(real);
    if (real === undefined || stats?.isFile() !== true) throw new Error('It is not a file.');
    const address = `${pathToFileURL(real).href}?changed=${stats.mtimeMs}`;
    const module = await withinTime(import(/* @vite-ignore */ address) as Promise<Record<string, unknown>>, limitMs);
    return { path, ...toolsOf(path, module) };
  } catch (error) {
    return { path, tools: [], problems: [{ path, reason: error instanceof Error ? error.message : String(error) }] };
  }
}

/** The default export is named after the file, any other after the file and itself. */
function toolsOf(path: string, module: Readonly<Record<string, unknown>>): LoadedCustomTools {
  const name = basename(path, extname(path));
  const tools: Tool.Info[] = [];
  const problems: CustomToolProblem[] = [];
  for (const [key, value] of Object.entries(module)) {
    // Beside its tools a file may export what its tests need.
    if (key !== 'default' && !isToolLike(value)) continue;
    const tool = toCustomTool(value, key === 'default' ? name : `${name}_${key}`);
    if (typeof tool === 'string')
      problems.push({ path, reason: key === 'default' ? tool : `The export "${key}": ${tool}` });
    else tools.push(tool);
  }
  if (tools.length === 0 && problems.length === 0)
    problems.push({
      path,
      reason: 'It exports no tool: expected a default export {description, parameters, execute}.',
    });
  return { tools, problems };
}

function isToolLike(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'execute' in value;
}

/** A module that waits for something that never comes must not keep the agent from starting. */
async function withinTime<Value>(work: Promise<Value>, limitMs: number): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`It did not load within ${limitMs / 1000} s; something in it waits.`)),
    limitMs,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
