import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  compilePermissions,
  type CompiledPermissions,
  DragomanError,
  PERMISSION_LAYERS,
  rulesFromConfig,
} from '@dragoman/protocol';
import type { AgentDefinition } from '../agents/agent-definition.ts';
import { findAgents } from '../agents/find-agents.ts';
import { InstructionCache } from '../instructions/instruction-cache.ts';
import { findInstructions } from '../instructions/find-instructions.ts';
import { renderSystemPrompt } from '../instructions/render-system-prompt.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import { defaultRules } from '../permissions/default-rules.ts';
import type { Snapshots } from '../snapshots/open-snapshots.ts';
import { JobRegistry } from '../tools/bash/job-registry.ts';
import { SeenFiles } from '../tools/files/seen-files.ts';
import { ToolRegistry } from '../tools/tool-registry.ts';
import { builtInTools } from './built-in-tools.ts';
import { foreignTools } from './foreign-tools.ts';
import { JobNews } from './job-news.ts';
import type { Workplace, WorkplaceOptions } from './workplace.ts';

/** How long a first prompt waits for MCP servers to be connected; those that take longer join later. */
const MCP_READY_MS = 10_000;

/** Opens a folder for agents: finds what people wrote for it, and registers every tool. */
export async function openWorkplace(options: WorkplaceOptions): Promise<Workplace> {
  const { cwd, root, home, folder, config, approvals, log } = options;
  const settings = config().agent;
  const isTrusted = (project: string) =>
    settings.tools.trustedProjects.some((trusted) => trusted === '*' || project.startsWith(resolve(trusted)));
  const found = await findAgents({ cwd, root, home, folders: settings.agents, isTrusted: () => isTrusted(root) });
  const problems = found.problems.map(
    ({ path, line, reason }) => `${path}${line === undefined ? '' : `:${line}`}: ${reason}`,
  );
  const registry = new ToolRegistry();
  const news = new JobNews();
  const jobs = new JobRegistry({ onExit: news.jobEnded });
  const seen = new SeenFiles();
  const instructions = new InstructionCache();
  const compiled = new Map<string, CompiledPermissions>();

  const builtIn = await builtInTools({
    ...options,
    jobs,
    seen,
    instructions,
    isTrusted,
    mayShow: (path, agent) =>
      compiled.get(agent)?.decide({ tool: 'read', subjects: [{ kind: 'path', value: path }] }).action === 'allow',
    onProblem: (problem) => problems.push(problem),
  });
  for (const tool of [...builtIn, ...options.sessionTools(found.agents)]) registry.register(tool);
  const foreign = await foreignTools({ config, registry, cwd, log, onProblem: (problem) => problems.push(problem) });
  problems.push(...registry.problems);
  for (const problem of problems) log.warn({}, problem);

  let snapshots: Promise<Snapshots | undefined> | undefined;
  let approvedAt: string | undefined;

  return {
    cwd,
    root,
    registry,
    agents: found.agents,
    problems,
    log,
    get mcp(): McpServers | undefined {
      return foreign?.servers;
    },
    agent(name) {
      const agent = found.agents.find((candidate) => candidate.name === name);
      if (agent !== undefined) return agent;
      const known = found.agents.map((candidate) => candidate.name).join(', ');
      throw new DragomanError('not-found', `There is no agent "${name}" here. The agents are: ${known}.`);
    },
    async systemPrompt(agent: AgentDefinition) {
      await foreign?.servers.ready(MCP_READY_MS);
      const told = await findInstructions({ cwd, root, home, files: settings.instructions }, instructions);
      return renderSystemPrompt({
        agent,
        instructions: told.instructions,
        environment: {
          cwd,
          root,
          platform: process.platform,
          date: new Date().toISOString().slice(0, 10),
          isGit: isGit(root),
        },
        skills: [], // The skill tool tells them.
        ...(foreign === undefined ? {} : { mcpInstructions: foreign.servers.instructions() }),
      });
    },
    async permissions(agent) {
      const approved = await approvals.rules(root);
      const version = JSON.stringify([approved, config().permissions]);
      if (approvedAt !== version) compiled.clear();
      approvedAt = version;
      let known = compiled.get(agent.name);
      if (known === undefined) {
        const configured = rulesFromConfig(config().permissions ?? {}, 'dragoman.json', PERMISSION_LAYERS.user);
        known = compilePermissions([...defaultRules(), ...configured, ...agent.permissions, ...approved], { home });
        compiled.set(agent.name, known);
      }
      return known;
    },
    snapshots() {
      if (!settings.snapshots) return Promise.resolve(undefined);
      snapshots ??= import('../snapshots/open-snapshots.ts').then(({ openSnapshots }) =>
        openSnapshots({ folder: join(folder, 'snapshots'), root, home, log }),
      );
      return snapshots;
    },
    isHidden: (tool) => foreign?.isHidden(tool.id) ?? false,
    news: (sessionID) => news.take(sessionID),
    forget(sessionID) {
      seen.forget(sessionID);
      void jobs.killSession(sessionID);
    },
    async close() {
      await jobs.close();
      await foreign?.servers.close();
      const opened = await snapshots;
      await opened?.collectGarbage().catch((err: unknown) => log.warn({ err }, 'old snapshots could not be deleted'));
      await opened?.close();
    },
  };
}

function isGit(root: string): boolean {
  return existsSync(join(root, '.git'));
}
