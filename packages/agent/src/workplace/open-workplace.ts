import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { searchPathOutside } from '@dragoman/server/base';
import { findAgents } from '../agents/find-agents.ts';
import { InstructionCache } from '../instructions/instruction-cache.ts';
import { findInstructions } from '../instructions/find-instructions.ts';
import { renderSystemPrompt } from '../instructions/render-system-prompt.ts';
import { findSkills } from '../skills/find-skills.ts';
import type { Sandbox } from '../sandbox/open-sandbox.ts';
import type { Snapshots } from '../snapshots/open-snapshots.ts';
import { JobRegistry } from '../tools/bash/job-registry.ts';
import { customToolFolders, loadCustomTools } from '../tools/custom/load-custom-tools.ts';
import { SeenFiles } from '../tools/files/seen-files.ts';
import { ToolRegistry } from '../tools/tool-registry.ts';
import { AgentPermissions } from './agent-permissions.ts';
import { builtInTools } from './built-in-tools.ts';
import { foreignTools } from './foreign-tools.ts';
import { JobNews } from './job-news.ts';
import { offerSkills } from './offer-skills.ts';
import type { ToldInstructions } from './read-with-instructions.ts';
import type { Workplace, WorkplaceOptions } from './workplace.ts';

/** How long a first prompt waits for MCP servers to be connected; those that take longer join later. */
const MCP_READY_MS = 5_000;

/** Opens a folder for agents: finds what people wrote for it, and registers every tool. */
export async function openWorkplace(options: WorkplaceOptions): Promise<Workplace> {
  const { cwd, root, home, folder, config, mcpAuth, log } = options;
  const settings = config().agent;
  const problems = new Set<string>();
  const report = (problem: FileProblem) => tell(inWords(problem));
  const tell = (problem: string) => {
    if (!problems.has(problem)) log.warn({}, problem);
    problems.add(problem);
  };
  const isProjectTrusted = async () =>
    (await import('./is-trusted.ts')).isTrusted(root, settings.tools.trustedProjects, home);
  const registry = new ToolRegistry();
  const news = new JobNews();
  const jobs = new JobRegistry({ onExit: news.jobEnded });
  const seen = new SeenFiles();
  const instructions = new InstructionCache();
  const told: ToldInstructions = new Map();
  const sandbox = onceOpened(root, folder);
  const found = await findAgents({ cwd, root, home, folders: settings.agents, isTrusted: isProjectTrusted });
  for (const problem of found.problems) report(problem);
  const permissions = new AgentPermissions({ ...options, agents: () => found.agents });
  const builtIn = builtInTools({
    ...options,
    jobs,
    seen,
    instructions,
    told,
    sandbox,
    readAction: (subjects, { agent }) => permissions.readAction(agent, subjects),
  });
  for (const tool of builtIn) registry.register(tool);
  const skills = () => findSkills({ cwd, root, home, folders: settings.skills, isTrusted: isProjectTrusted });
  const followSkills = offerSkills({
    skills,
    sandbox,
    registry,
    onProblem: report,
  });
  await followSkills();
  const custom = await loadCustomTools({
    folders: customToolFolders({ root, home, configured: settings.tools.folders }),
    isTrusted: isProjectTrusted,
  });
  for (const problem of custom.problems) report(problem);
  for (const tool of [...custom.tools, ...options.sessionTools(found.agents)]) registry.register(tool);
  const foreign = foreignTools({
    ...options,
    registry,
    auth: mcpAuth,
    isTrusted: isProjectTrusted,
    onProblem: (problem) => void problems.add(problem), // It is in the log already.
  });
  await foreign.follow();
  for (const problem of registry.problems) tell(problem);

  let snapshots: Promise<Snapshots | undefined> | undefined;
  const follow = async () => {
    await Promise.all([followSkills(), foreign.follow()]);
  };
  const toldHere = () => findInstructions({ cwd, root, home, files: settings.instructions }, instructions);

  return {
    cwd,
    root,
    registry,
    agents: found.agents,
    log,
    get problems() {
      return [...problems];
    },
    get lastingProblems() {
      return [...[...found.problems, ...custom.problems].map(inWords), ...registry.problems];
    },
    get mcp() {
      return foreign.servers;
    },
    agent(name) {
      const agent = found.agents.find((candidate) => candidate.name === name);
      if (agent !== undefined) return agent;
      const known = found.agents.map((candidate) => candidate.name).join(', ');
      throw new DragomanError('not-found', `There is no agent "${name}" here. The agents are: ${known}.`);
    },
    follow,
    skills,
    instructions: toldHere,
    async systemPrompt(agent) {
      await follow();
      await foreign.servers?.ready(Math.min(MCP_READY_MS, config().mcp_timeout));
      for (const { name, state } of foreign.servers?.status() ?? [])
        if (state === 'connecting')
          report({ path: `MCP server "${name}"`, reason: 'has not answered yet; its tools join when it does' });
      const here = await toldHere();
      for (const problem of here.problems) report(problem);
      return renderSystemPrompt({
        agent,
        instructions: here.instructions,
        environment: {
          cwd,
          root,
          platform: process.platform,
          date: new Date().toISOString().slice(0, 10),
          isGit: isGit(root),
        },
        ...(foreign.servers === undefined ? {} : { mcpInstructions: foreign.servers.instructions() }),
      });
    },
    permissions: (agent) => permissions.of(agent),
    snapshots() {
      if (!settings.snapshots) return Promise.resolve(undefined);
      snapshots ??= import('../snapshots/open-snapshots.ts').then(({ openSnapshots }) =>
        openSnapshots({ folder: join(folder, 'snapshots'), root, home, log }),
      );
      return snapshots;
    },
    isHidden: (tool) => foreign.isHidden(tool.id),
    news: (sessionID) => news.take(sessionID),
    forget(sessionID) {
      seen.forget(sessionID);
      told.delete(sessionID);
      void jobs.killSession(sessionID);
    },
    async close() {
      await jobs.close();
      await foreign.close();
      const opened = await snapshots;
      await opened?.collectGarbage().catch((err: unknown) => log.warn({ err }, 'old snapshots could not be deleted'));
      await opened?.close();
    },
  };
}

interface FileProblem {
  path: string;
  line?: number;
  reason: string;
}

function inWords({ path, line, reason }: FileProblem): string {
  return `${path}${line === undefined ? '' : `:${line}`}: ${reason}`;
}

/** The sandbox is looked for when the first script wants to run; a machine without one is told so then. */
function onceOpened(root: string, dataFolder: string): () => Promise<Sandbox> {
  let opening: Promise<Sandbox> | undefined;
  return () => {
    opening ??= import('../sandbox/open-sandbox.ts').then(({ openSandbox }) =>
      openSandbox({
        hidden: [dataFolder],
        notes: join(dataFolder, 'sandbox'),
        searchPath: searchPathOutside(process.env['PATH'] ?? '', root),
      }),
    );
    opening.catch(() => (opening = undefined)); // It may be installed by the next time.
    return opening;
  };
}

function isGit(root: string): boolean {
  return existsSync(join(root, '.git'));
}
