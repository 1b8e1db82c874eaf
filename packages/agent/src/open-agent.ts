import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  type CodeSearch,
  DragomanError,
  idSchema,
  foldSession,
  type ModelName,
  newId,
  type SessionState,
} from '@dragoman/protocol';
import type { Store } from '@dragoman/server';
import type { AgentLog } from './agent-log.ts';
import type { AgentModel, OpenModel } from './agent-model.ts';
import type { AgentConfig } from './config/agent-config-shape.ts';
import type { McpAuth } from './mcp/mcp-credentials.ts';
import { ApprovalStore } from './permissions/approval-store.ts';
import type { Approver } from './permissions/approval.ts';
import type { Asker } from './question/question.ts';
import type { AskMode } from './permissions/decide-call.ts';
import { forkSession } from './session/fork-session.ts';
import { revertSession, unrevertSession } from './session/revert-session.ts';
import { SessionRunner } from './session/session-runner.ts';
import { HOLD_MS, noSuchSession, type SessionListing, SessionStore } from './session/session-store.ts';
import { Session } from './session/session.ts';
import { sessionWork, UNTITLED } from './session/session-work.ts';
import { sweepOutputs } from './tools/sweep-outputs.ts';
import { runTask } from './tools/task/run-task.ts';
import { taskTool } from './tools/task/task-tool.ts';
import { todoTools } from './tools/todo/todo-tools.ts';
import { findRoot } from './workplace/find-root.ts';
import { openWorkplace } from './workplace/open-workplace.ts';
import type { Workplace } from './workplace/workplace.ts';
import { Workplaces } from './workplace/workplaces.ts';

/** What the agent is handed: nothing else of the world is known to it. */
export interface AgentOptions {
  store: Store;
  /** The data folder of Dragoman. */
  folder: string;
  config: () => AgentConfig;
  /** The variables that the configuration refers to, as it is now: they hold keys of ours. */
  referredEnv?: (() => readonly string[]) | undefined;
  openModel: OpenModel;
  /** A code base that can be asked, by its folder. */
  codeSearch?: ((root: string) => Promise<CodeSearch>) | undefined;
  /** How people log in at MCP servers that ask for it. */
  mcpAuth?: McpAuth | undefined;
  /** Who is asked whether a call may run. */
  approver?: Approver | undefined;
  /** Who is asked what a call needs to know, such as what an MCP server elicits; without one, servers are told that nobody can be. */
  asker?: Asker | undefined;
  mode?: AskMode | undefined;
  /** How long a person may take to answer, where whoever asks has a limit of its own; else it is configured. */
  approvalMs?: number | undefined;
  /** Told of every session that is opened, also those of tasks, before anything happens in it. */
  onSession?: ((runner: SessionRunner) => void) | undefined;
  log: AgentLog;
  home?: string;
}

/** Where and how a new session works. */
export interface NewSession {
  /** Where it is known by an id already; else it gets one. */
  id?: string | undefined;
  cwd: string;
  title?: string | undefined;
  agent?: string | undefined;
  model?: string | undefined;
  /** Used where neither a model is given nor the agent has one. */
  fallbackModel?: string | undefined;
  /** The session whose task it does. */
  parent?: SessionState | undefined;
  /** MCP servers beside those of the configuration, for this session and its tasks alone; they end with it. */
  mcp?: AgentConfig['mcp'] | undefined;
}

/** The native agent: its sessions, and what they work with. */
export interface Agent {
  create(session: NewSession): Promise<SessionRunner>;
  /** A session of earlier. A model or agent that is given takes the place of the one it had; servers count when it is not open yet. */
  open(sessionID: string, changes?: Pick<NewSession, 'model' | 'agent' | 'mcp'>): Promise<SessionRunner>;
  /** A session of its own with what another one says up to a message, in the same folder unless another is given. */
  fork(sessionID: string, beforeMessageID?: string, place?: Pick<NewSession, 'cwd'>): Promise<SessionRunner>;
  /** Takes messages back, from one on, and the changes to files that came with them. */
  revert(runner: SessionRunner, messageID: string): Promise<{ files: string[]; skipped: string[] }>;
  unrevert(runner: SessionRunner): Promise<{ files: string[] }>;
  list(filter?: { root?: string; limit?: number }): Promise<SessionListing[]>;
  /** A session as it is stored, also while another process works on it. */
  read(sessionID: string): Promise<SessionState>;
  /** Forgets a session with those of its tasks and their outputs; not while anybody works on it. */
  remove(sessionID: string): Promise<void>;
  workplace(cwd: string): Promise<Workplace>;
  /** Where a session works. */
  workplaceOf(runner: SessionRunner): Promise<Workplace>;
  /** A model by name; without a name the one for new sessions. */
  model(name?: string): AgentModel;
  approvals: ApprovalStore;
  close(): Promise<void>;
}

/** Puts the agent together. Nothing is read or started before the first session. */
export function openAgent(options: AgentOptions): Agent {
  const { store, folder, config, openModel, log, home = homedir() } = options;
  const outputFolder = join(folder, 'outputs');
  const sessions = new SessionStore(store);
  const approvals = new ApprovalStore(store);
  const runners = new Map<string, SessionRunner>();
  const opening = new Map<string, Promise<SessionRunner>>();
  const holding = setInterval(() => {
    sessions
      .keepHolding([...runners.keys()])
      .catch((err: unknown) => log.warn({ err }, 'sessions could not be held; another process may take them'));
  }, HOLD_MS / 3);
  holding.unref();

  const workplaces = new Workplaces((cwd, mcp) =>
    openWorkplace({
      cwd,
      root: findRoot(cwd, home),
      home,
      folder,
      config: () => ({ ...config(), mcp: { ...config().mcp, ...mcp } }),
      referredEnv: options.referredEnv,
      approvals,
      codeSearch: options.codeSearch,
      mcpAuth: options.mcpAuth,
      canAskPeople: options.asker !== undefined,
      log,
      sessionTools: (agents) => [
        ...todoTools({
          read: (id) => runners.get(id)?.state.todos ?? [],
          write: (id, todos) => runners.get(id)?.session.append({ type: 'todos-updated', todos }),
        }),
        taskTool({
          agents: agents.filter(({ mode }) => mode !== 'primary'),
          timeoutMs: config().agent.timeouts.subagentMs,
          run: (task, context) => runTask(task, context, { agent, runners }),
        }),
      ],
    }),
  );

  const start = (session: Session, workplace: Workplace): SessionRunner => {
    workplaces.enter(session.id, workplace);
    const work = sessionWork({
      workplace,
      config,
      openModel: openNamed,
      approvals,
      approver: options.approver,
      asker: options.asker,
      mode: options.mode ?? (options.approver === undefined ? 'headless' : 'interactive'),
      approvalMs: options.approvalMs,
      outputFolder,
    });
    const runner = new SessionRunner(session, work, async () => {
      runners.delete(session.id);
      await workplaces.leave(session.id, workplace);
    });
    runners.set(session.id, runner);
    options.onSession?.(runner);
    return runner;
  };

  /** A session that is there already; one whose folder cannot be opened is left to others. */
  const goOn = async (session: Session, mcp?: AgentConfig['mcp']): Promise<SessionRunner> => {
    const { cwd, parentID } = session.state.info;
    try {
      return start(session, await workplaces.choose(cwd, { mcp, parentID }));
    } catch (error) {
      await session.close();
      throw error;
    }
  };

  const openNamed = (name?: string): AgentModel => openModel(name ?? config().agent.model);

  /** What is not there is refused before the session remembers it. */
  const change = async (runner: SessionRunner, { agent: agentName, model }: Partial<NewSession>): Promise<void> => {
    if (agentName === undefined && model === undefined) return;
    const definition = agentName === undefined ? undefined : (await agent.workplaceOf(runner)).agent(agentName);
    const chosen = model === undefined ? undefined : openNamed(model);
    runner.session.append({
      type: 'session-updated',
      ...(definition === undefined ? {} : { agent: definition.name }),
      ...(chosen === undefined ? {} : { model: nameOf(chosen) }),
    });
  };

  /** Two who open a session at once get the same one. */
  const openOnce = (sessionID: string, mcp: NewSession['mcp']): Promise<SessionRunner> => {
    let open = opening.get(sessionID);
    if (open === undefined) {
      open = Session.open(sessions, sessionID)
        .then((session) => goOn(session, mcp))
        .finally(() => opening.delete(sessionID));
      opening.set(sessionID, open);
    }
    return open;
  };

  const agent: Agent = {
    approvals,
    workplace: (cwd) => workplaces.at(cwd),
    workplaceOf: (runner) => workplaces.of(runner.id, runner.state.info.cwd),
    model: openNamed,
    async create({ id = newId('ses'), cwd, title, agent: agentName, model, fallbackModel, parent, mcp }) {
      const workplace = await workplaces.choose(cwd, { mcp, parentID: parent?.info.id });
      try {
        const definition = workplace.agent(agentName ?? config().agent.agent);
        const chosen = openNamed(model ?? definition.model ?? fallbackModel);
        const session = await Session.create(sessions, {
          id,
          title: title ?? UNTITLED,
          cwd: workplace.cwd,
          root: workplace.root,
          agent: definition.name,
          model: nameOf(chosen),
          ...(parent === undefined ? {} : { parentID: parent.info.id }),
          time: { created: Date.now() },
        });
        return start(session, workplace);
      } catch (error) {
        await workplaces.closeUnused(workplace);
        throw error;
      }
    },
    async open(sessionID, changes = {}) {
      const known = runners.get(sessionID);
      const runner = known ?? (await openOnce(sessionID, changes.mcp));
      try {
        await change(runner, changes);
      } catch (error) {
        if (known === undefined) await runner.close();
        throw error;
      }
      return runner;
    },
    async fork(sessionID, beforeMessageID, place) {
      const known = runners.get(sessionID);
      const from = known?.session ?? (await Session.open(sessions, sessionID));
      try {
        const fork = await forkSession(sessions, from.state, {
          ...(beforeMessageID === undefined ? {} : { beforeMessageID }),
          ...(place === undefined ? {} : { place: { cwd: place.cwd, root: findRoot(place.cwd, home) } }),
        });
        return await goOn(fork);
      } finally {
        if (known === undefined) await from.close();
      }
    },
    async revert(runner, messageID) {
      refuseWhileRunning(runner);
      return revertSession(runner.session, messageID, await (await agent.workplaceOf(runner)).snapshots());
    },
    async unrevert(runner) {
      refuseWhileRunning(runner);
      return unrevertSession(runner.session, await (await agent.workplaceOf(runner)).snapshots());
    },
    list: (filter) => sessions.list(filter),
    async read(sessionID) {
      const state = foldSession(await sessions.read(sessionID));
      if (state === undefined) throw noSuchSession(sessionID);
      return state;
    },
    async remove(sessionID) {
      if (runners.has(sessionID))
        throw new DragomanError('conflict', `The session ${sessionID} is open here; close it before it is removed.`);
      // A store that was restored may hold any id; only what looks like one names a folder.
      for (const id of await sessions.remove(sessionID))
        if (idSchema('ses').safeParse(id).success) await rm(join(outputFolder, id), { recursive: true, force: true });
    },
    async close() {
      clearInterval(holding);
      const closed = await Promise.allSettled([...runners.values()].map((runner) => runner.close()));
      await workplaces.close();
      sweepOutputs(outputFolder, Date.now());
      const failure = closed.find(({ status }) => status === 'rejected');
      if (failure?.status === 'rejected') throw failure.reason as Error;
    },
  };
  return agent;
}

function nameOf({ providerID, modelID, route }: AgentModel): ModelName {
  return { providerID, modelID, ...(route === undefined ? {} : { route }) };
}

function refuseWhileRunning(runner: SessionRunner): void {
  if (runner.isRunning)
    throw new DragomanError('conflict', `The session ${runner.id} is at work; stop it before anything is taken back.`);
}
