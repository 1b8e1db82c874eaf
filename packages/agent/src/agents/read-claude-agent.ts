import { z } from 'zod';
import { type FrontMatter, FrontMatterError } from '../front-matter/read-front-matter.ts';
import { allowList } from './agent-definition.ts';
import type { AgentFile } from './read-agent.ts';

/** What another program calls the tools that we have too. */
const TOOL_NAMES: Readonly<Record<string, readonly string[]>> = {
  Agent: ['task'],
  Bash: ['bash'],
  Edit: ['edit', 'apply-patch'],
  Glob: ['glob'],
  Grep: ['grep', 'code-search'],
  LS: ['glob'],
  MultiEdit: ['edit', 'apply-patch'],
  Read: ['read'],
  Skill: ['skill'],
  Task: ['task'],
  TodoRead: ['todo-read'],
  TodoWrite: ['todo-write', 'todo-read'],
  WebFetch: ['web-fetch'],
  WebSearch: ['web-search'],
  Write: ['write'],
};

// Written for another program: what we read is declared, the rest passes.
const fieldsSchema = z.object({
  name: z.string().nullish(),
  description: z.string(),
  tools: z.union([z.string(), z.array(z.string())]).nullish(),
});

/**
 * Reads a subagent as Claude Code keeps it. Its models are known by names that mean nothing here, so it works with the
 * session's.
 */
export function readClaudeAgent({ fields, body, lineOf }: FrontMatter): AgentFile & { name: string | undefined } {
  const parsed = fieldsSchema.safeParse(fields);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw new FrontMatterError(lineOf(path), `${path.join('.')}: ${message}`);
  }
  const { name, description, tools } = parsed.data;
  const named = typeof tools === 'string' ? tools.split(',') : (tools ?? []);
  const known = named.map((tool) => tool.trim()).filter((tool) => tool !== '');
  return {
    name: name ?? undefined,
    description,
    mode: 'subagent',
    ...(body !== '' && { prompt: body }),
    ...(known.length > 0 && !known.includes('*') && { tools: allowList(known.flatMap(toolNames)) }),
  };
}

/** `mcp__server__tool` is ours as `server_tool`; `Bash(git *)` is `bash`, about which permissions still ask. */
function toolNames(tool: string): readonly string[] {
  const [, server, name] = /^mcp__(.+?)(?:__(.+))?$/.exec(tool) ?? [];
  if (server !== undefined) return [`${server}_${name ?? '*'}`];
  const plain = tool.replace(/\(.*\)$/s, '');
  return Object.hasOwn(TOOL_NAMES, plain) ? TOOL_NAMES[plain]! : [];
}
