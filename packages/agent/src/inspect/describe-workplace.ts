import type { McpServerInfo, SkillInfo } from '@dragoman/protocol/console';
import type { KnownMcpServer } from '../mcp/mcp-servers.ts';
import type { Workplace } from '../workplace/workplace.ts';
import { describeFoundSkills } from './describe-skills.ts';
import { type DescribedTool, describeMcpTools } from './described-tool.ts';
import { mcpProblem } from './mcp-problem.ts';
import { mcpTarget } from '../mcp/mcp-target.ts';

/** How it is looked at. */
export interface DescribeWorkplaceOptions {
  /** Tools that the configuration switches off; they are left out. */
  disabled: readonly string[];
  /** How long MCP servers are waited for; those that take longer are told as being connected. */
  mcpMs?: number | undefined;
}

/** What the native agent has in a folder. */
export interface WorkplaceDescription {
  root: string;
  agents: { name: string; description?: string }[];
  /** All of them, under the names that permissions know them by, those of MCP servers too. */
  tools: DescribedTool[];
  mcp: McpServerInfo[];
  skills: SkillInfo[];
  /** The files that agents are told of, in that order. */
  instructions: string[];
  /** What is wrong with other files that people wrote: agents, tools, instructions. */
  problems: string[];
}

const MCP_READY_MS = 10_000;

/** Tells what agents find at a workplace as it is now, with what is wrong and what to do. Secrets are masked. */
export async function describeWorkplace(
  workplace: Workplace,
  { disabled, mcpMs = MCP_READY_MS }: DescribeWorkplaceOptions,
): Promise<WorkplaceDescription> {
  await workplace.follow();
  await workplace.mcp?.ready(mcpMs);
  const [skills, told] = await Promise.all([workplace.skills(), workplace.instructions()]);
  return {
    root: workplace.root,
    agents: workplace.agents.map(({ name, description }) => ({ name, ...(description === '' ? {} : { description }) })),
    tools: workplace.registry
      .list()
      .filter(({ id }) => !disabled.includes(id))
      .map(({ id, description }) => ({ name: id, description })),
    mcp: (workplace.mcp?.known() ?? []).map((server) => describeServer(server, workplace.cwd)),
    skills: describeFoundSkills(skills),
    instructions: told.instructions.map(({ path }) => path),
    problems: [...workplace.lastingProblems, ...told.problems.map(({ path, reason }) => `${path}: ${reason}`)],
  };
}

function describeServer({ name, status, settings, tools }: KnownMcpServer, cwd: string): McpServerInfo {
  const problem = mcpProblem({ settings, status, cwd });
  return {
    name,
    state: status.state,
    target: mcpTarget(settings).shown,
    tools: describeMcpTools(tools),
    ...(problem === undefined ? {} : { problem }),
  };
}
