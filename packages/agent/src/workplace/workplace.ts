import type { CodeSearch, CompiledPermissions } from '@dragoman/protocol';
import type { AgentLog } from '../agent-log.ts';
import type { AgentDefinition } from '../agents/agent-definition.ts';
import type { AgentConfig } from '../config/agent-config-shape.ts';
import type { FoundInstructions } from '../instructions/find-instructions.ts';
import type { McpAuth } from '../mcp/mcp-credentials.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import type { ApprovalStore } from '../permissions/approval-store.ts';
import type { SkillSet } from '../skills/find-skills.ts';
import type { Snapshots } from '../snapshots/open-snapshots.ts';
import type { ToolRegistry } from '../tools/tool-registry.ts';
import type { Tool } from '../tools/tool.ts';

/** A folder that agents work in, with everything that belongs to it. */
export interface Workplace {
  readonly cwd: string;
  readonly root: string;
  readonly registry: ToolRegistry;
  readonly agents: readonly AgentDefinition[];
  /** What is wrong with files that people wrote: agents, skills, tools, instructions. */
  readonly problems: readonly string[];
  /** Those of them that are about agents and tools, which are read when the workplace is opened and not again. */
  readonly lastingProblems: readonly string[];
  readonly mcp: McpServers | undefined;
  readonly log: AgentLog;
  agent(name: string): AgentDefinition;
  /** Takes up what people changed in the meantime: skills, and the MCP servers of the configuration. */
  follow(): Promise<void>;
  /** The skills there are now, with what is wrong with them. */
  skills(): Promise<SkillSet>;
  /** What agents are told about the place now. */
  instructions(): Promise<FoundInstructions>;
  /** What an agent is told at the start of a turn. What people changed in the meantime is taken up first. */
  systemPrompt(agent: AgentDefinition): Promise<string>;
  permissions(agent: AgentDefinition): Promise<CompiledPermissions>;
  snapshots(): Promise<Snapshots | undefined>;
  /** Which tools are not sent until a search has found them. */
  isHidden(tool: Tool.Info): boolean;
  /** What happened meanwhile that a session should know, such as a job that ended. */
  news(sessionID: string): string[];
  /** Forgets what belongs to one session. */
  forget(sessionID: string): void;
  close(): Promise<void>;
}

/** What a workplace is opened with. */
export interface WorkplaceOptions {
  cwd: string;
  root: string;
  home: string;
  /** The data folder of Dragoman. */
  folder: string;
  config: () => AgentConfig;
  /** The variables that the configuration refers to, as it is now: they hold keys of ours. */
  referredEnv?: (() => readonly string[]) | undefined;
  approvals: ApprovalStore;
  codeSearch: ((root: string) => Promise<CodeSearch>) | undefined;
  /** How people log in at MCP servers that ask for it; without it logins last as long as the workplace. */
  mcpAuth?: McpAuth | undefined;
  /** Whether calls can ask people something; MCP servers are told. */
  canAskPeople?: boolean | undefined;
  log: AgentLog;
  /** Tools that need what only the agent has: tasks and todos. */
  sessionTools: (agents: readonly AgentDefinition[]) => Tool.Info[];
}
