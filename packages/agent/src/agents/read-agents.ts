import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
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
  isProjectTrusted: () => Promise<boolean>,
): Promise<FoundAgents> {
  const problems: AgentProblem[] = [];
  const builtIn = new Map(builtInAgents.map((agent) => [agent.name, agent]));
  const found = new Map<string, AgentDefinition>();
  let isTrusted: boolean | undefined;

  for (const { path, folder } of files) {
    try {
      const file = await readAgentFile(path, folder);
      const first = found.get(file.name);
      if (first !== undefined)
        throw new FrontMatterError(
          1,
          `the agent "${file.name}" is there already, from ${first.path}; this one is not used`,
        );
      if (folder.origin === 'project') {
        isTrusted ??= await isProjectTrusted();
        if (!isTrusted) dropAllowed(file, path, problems);
      }
      found.set(file.name, toAgent(file, builtIn.get(file.name), folder, path, isTrusted ?? false));
    } catch (error) {
      problems.push(toProblem(path, error));
    }
  }
  const own = [...found.values()].filter(({ name }) => !builtIn.has(name));
  const named = own.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return { agents: [...builtInAgents.map((agent) => found.get(agent.name) ?? agent), ...named], problems };
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
