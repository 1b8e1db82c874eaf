import { basename } from 'node:path';
import { readProjectFile } from '@dragoman/server/files';
import { FrontMatterError, readFrontMatter } from '../front-matter/read-front-matter.ts';
import type { AgentDefinition } from './agent-definition.ts';
import type { AgentFolder, AgentProblem, FoundAgentFile, FoundAgents } from './find-agents.ts';
import { type AgentFile, readAgent } from './read-agent.ts';
import { readClaudeAgent } from './read-claude-agent.ts';

const MAX_BYTES = 64 * 1024;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Reads the agents that people wrote, in the order in which they count, and puts them beside the built-in ones. */
export async function readAgents(
  files: readonly FoundAgentFile[],
  builtInAgents: readonly AgentDefinition[],
  isTrusted: boolean,
): Promise<FoundAgents> {
  const problems: AgentProblem[] = [];
  const builtIn = new Map(builtInAgents.map((agent) => [agent.name, agent]));
  const found = new Map<string, AgentDefinition>();

  for (const { path, folder } of files) {
    try {
      const file = await readAgentFile(path, folder);
      const first = found.get(file.name);
      if (first !== undefined)
        throw new FrontMatterError(
          1,
          `the agent "${file.name}" is there already, from ${first.path}; this one is not used`,
        );
      const isStrange = folder.project !== undefined && !isTrusted;
      if (isStrange) dropLoosening(file, builtIn.has(file.name), path, problems);
      found.set(file.name, toAgent(file, builtIn.get(file.name), folder, path, isStrange));
    } catch (error) {
      problems.push(toProblem(path, error));
    }
  }
  const own = [...found.values()].filter(({ name }) => !builtIn.has(name));
  const named = own.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return { agents: [...builtInAgents.map((agent) => found.get(agent.name) ?? agent), ...named], problems };
}

type NamedFile = AgentFile & { name: string };

async function readAgentFile(path: string, { isForeign, project }: AgentFolder): Promise<NamedFile> {
  const file = readProjectFile(path, { project, maxBytes: MAX_BYTES });
  if (file === undefined) throw new Error('there is no such file');
  const matter = await readFrontMatter(file.bytes.toString('utf8'));
  const read = isForeign ? readClaudeAgent(matter) : { ...readAgent(matter, path), name: undefined };
  const name = read.name ?? basename(path, '.md');
  if (!NAME.test(name))
    throw new FrontMatterError(
      matter.lineOf(['name']),
      `an agent is named with letters, digits, "-" and "_", 64 at most; "${name}" is not`,
    );
  return { ...read, name };
}

/** Takes away what only a person may decide. What an agent of ours is told, and by whom it is answered, is such a thing. */
function dropLoosening(file: NamedFile, isBuiltIn: boolean, path: string, problems: AgentProblem[]): void {
  const leftOut = (what: string) =>
    problems.push({ path, reason: `the project is not trusted, so what the agent would ${what}` });
  const allowed = (file.permissions ?? []).filter(({ action }) => action === 'allow');
  if (allowed.length > 0) {
    file.permissions = file.permissions!.filter(({ action }) => action !== 'allow');
    const named = allowed.map(({ tool, pattern }) => (pattern === '*' ? tool : `${tool} ${pattern}`)).join(', ');
    leftOut(`allow is left out: ${named}`);
  }
  if (!isBuiltIn) return;
  const changed = Object.keys(file).filter((field) => field !== 'name' && field !== 'permissions');
  if (changed.length === 0) return;
  for (const field of changed) delete file[field as keyof NamedFile];
  leftOut(`change of "${file.name}" is left out: ${changed.join(', ')}`);
}

function toAgent(
  file: NamedFile,
  builtIn: AgentDefinition | undefined,
  { origin, isForeign }: AgentFolder,
  path: string,
  isStrange: boolean,
): AgentDefinition {
  if (builtIn !== undefined) {
    if (isForeign) throw new FrontMatterError(1, `"${file.name}" is an agent of ours; give this one another name`);
    // What a stranger writes comes on top, so that what is denied stays denied.
    const permissions = isStrange
      ? [...builtIn.permissions, ...(file.permissions ?? [])]
      : (file.permissions ?? builtIn.permissions);
    return { ...builtIn, ...file, permissions, origin, path };
  }
  const { description, prompt } = file;
  if (description === undefined)
    throw new FrontMatterError(1, '"description" is missing: it tells people and other agents when to use this one');
  if (prompt === undefined)
    throw new FrontMatterError(1, 'it has no text below its fields: that is what the agent is told');
  return { mode: 'all', permissions: [], ...file, description, prompt, origin, path, ...(isStrange && { isStrange }) };
}

function toProblem(path: string, error: unknown): AgentProblem {
  if (error instanceof FrontMatterError) return { path, line: error.line, reason: error.message };
  return { path, reason: error instanceof Error ? error.message : String(error) };
}
