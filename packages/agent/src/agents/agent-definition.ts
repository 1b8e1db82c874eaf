import { matchesWildcard, parseWildcard, type PermissionRule } from '@dragoman/protocol';

/** Where an agent comes from. What a project brings along is not yet known to be the person's will. */
export type AgentOrigin = 'built-in' | 'project' | 'user' | 'configured';

/** Whether people talk to it, other agents hand work to it, or both. */
type AgentMode = 'primary' | 'subagent' | 'all';

/** A way for a model to work: what it is told, which tools it has, and what it may do with them. */
export interface AgentDefinition {
  name: string;
  /** When to use it, for people who choose one and for agents that hand work on. */
  description: string;
  mode: AgentMode;
  /** How its system prompt begins. */
  prompt: string;
  /** The model it works with, by any name that may be asked for; else the one of the session. */
  model?: string;
  variant?: string;
  temperature?: number;
  topP?: number;
  /** After so many model calls in a turn it has to come to an end. */
  steps?: number;
  /** Which tools it is offered, by name or pattern; all where nothing is said. See `isToolOffered`. */
  tools?: Readonly<Record<string, boolean>>;
  /** What it may do, on the layer of agents. */
  permissions: readonly PermissionRule[];
  origin: AgentOrigin;
  /** It came with a project that is not trusted: a person is asked before another agent hands work to it. */
  isStrange?: boolean;
  /** The file it is written in. */
  path?: string;
}

/** Whether an agent is offered a tool: by the entry that names it, else by the longest pattern that fits, else yes. */
export function isToolOffered({ tools = {} }: Pick<AgentDefinition, 'tools'>, toolId: string): boolean {
  const named = Object.hasOwn(tools, toolId) ? tools[toolId] : undefined;
  if (named !== undefined) return named;
  const [longest] = Object.entries(tools)
    .filter(([pattern]) => pattern.includes('*') && matchesWildcard(parseWildcard(pattern), toolId))
    .toSorted(([one], [other]) => other.length - one.length);
  return longest?.[1] ?? true;
}

/** The tools of an agent that is offered only what is named, and nothing else. */
export function allowList(tools: readonly string[]): Record<string, boolean> {
  return Object.fromEntries([['*', false], ...tools.map((tool) => [tool, true])]);
}
