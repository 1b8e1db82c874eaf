import { realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import {
  type AgentContext,
  type InitializeRequest,
  type InitializeResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionRequest,
  type LoadSessionResponse,
  type NewSessionRequest,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  RequestError,
  type ResumeSessionRequest,
} from '@agentclientprotocol/sdk';
import { DragomanError } from '@dragoman/protocol';
import type { Agent } from '../open-agent.ts';
import type { Approver } from '../permissions/approval.ts';
import type { SessionRunner } from '../session/session-runner.ts';
import { AcpSession } from './acp-session.ts';
import { type ClientTalents, clientTalents } from './client-talents.ts';
import { decodeMcpServers } from './decode-mcp-servers.ts';
import { listSessions } from './list-sessions.ts';

/** What a client is served with. */
export interface AcpServerOptions {
  agent: Agent;
  models: () => readonly string[];
  client: AgentContext;
  version: string;
  onError: (error: unknown) => void;
}

/** More sessions than anybody goes through by hand. */
const MAX_LISTED = 10_000;

/** The sessions that one client works with, by the methods of the protocol. */
export class AcpServer {
  readonly #options: AcpServerOptions;
  readonly #sessions = new Map<string, AcpSession>();
  #talents: ClientTalents = clientTalents(undefined);

  constructor(options: AcpServerOptions) {
    this.#options = options;
  }

  /** There is one version of the protocol that is final; a client that knows only others goes away again. */
  initialize({ clientCapabilities }: InitializeRequest): InitializeResponse {
    this.#talents = clientTalents(clientCapabilities);
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'dragoman', title: 'Dragoman', version: this.#options.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
      },
      authMethods: [],
    };
  }

  async create({ cwd, mcpServers }: NewSessionRequest): Promise<NewSessionResponse> {
    checkFolder(cwd);
    const runner = await this.#options.agent.create({ cwd, mcp: decodeMcpServers(mcpServers) });
    const session = await this.#take(runner);
    return { sessionId: runner.id, ...session.describe() };
  }

  /** A session of earlier, with everything that was said in it. */
  async load(request: LoadSessionRequest): Promise<LoadSessionResponse> {
    const session = await this.#open(request);
    await session.replay();
    return session.describe();
  }

  /** A session of earlier whose conversation the client still has. */
  async resume(request: ResumeSessionRequest): Promise<LoadSessionResponse> {
    return (await this.#open(request)).describe();
  }

  async list(request: ListSessionsRequest): Promise<ListSessionsResponse> {
    const stored = await this.#options.agent.list({ limit: MAX_LISTED });
    const page = listSessions(stored, request);
    // What is stored for lists is written when a session is closed.
    const sessions = page.sessions.map((listed) => {
      const open = this.#sessions.get(listed.sessionId);
      return open === undefined ? listed : { ...listed, title: open.state.info.title };
    });
    return { ...page, sessions };
  }

  session(sessionId: string): AcpSession {
    const session = this.#sessions.get(sessionId);
    if (session !== undefined) return session;
    throw new RequestError(-32002, `There is no open session ${sessionId} here; open it with session/load.`, {
      sessionId,
    });
  }

  /** Calls off what a session does. One that is not open does nothing. */
  async cancel(sessionId: string): Promise<void> {
    await this.#sessions.get(sessionId)?.cancel();
  }

  async closeSession(sessionId: string): Promise<void> {
    const session = this.session(sessionId);
    this.#sessions.delete(sessionId);
    await session.close();
  }

  /** Forgets a session for good. */
  async remove(sessionId: string): Promise<void> {
    if (this.#sessions.has(sessionId)) await this.closeSession(sessionId);
    await this.#options.agent.remove(sessionId);
  }

  /** Asks the client, in the session that it knows: a subagent's question belongs to the one whose task it does. */
  readonly ask: Approver = async (request, signal) => {
    const asking = await this.#options.agent.open(request.sessionID);
    let at = asking;
    for (;;) {
      const session = this.#sessions.get(at.id);
      if (session !== undefined) return session.ask(request, asking, signal);
      const { parentID } = at.state.info;
      if (parentID === undefined) return { decision: 'reject', feedback: 'The session is closed.' };
      at = await this.#options.agent.open(parentID);
    }
  };

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map((session) => session.close()));
  }

  async #open({ sessionId, cwd, mcpServers = [] }: ResumeSessionRequest): Promise<AcpSession> {
    checkFolder(cwd);
    const known = this.#sessions.get(sessionId);
    if (known?.isAtWork === true)
      throw new DragomanError('conflict', `The session ${sessionId} is at work; cancel it before it is opened again.`);
    // Opened anew it has the servers that are named now.
    if (known !== undefined) await this.closeSession(sessionId);
    const runner = await this.#options.agent.open(sessionId, { mcp: decodeMcpServers(mcpServers) });
    const place = runner.state.info.cwd;
    if (realpathSync(place) === realpathSync(cwd)) return this.#take(runner);
    await runner.close();
    throw new DragomanError('bad-request', `The session ${sessionId} works in ${place}, not in ${cwd}.`);
  }

  async #take(runner: SessionRunner): Promise<AcpSession> {
    const { agent, models, client, onError } = this.#options;
    const workplace = await agent.workplaceOf(runner);
    const session = new AcpSession({ runner, agent, workplace, models, client, talents: this.#talents });
    this.#sessions.set(runner.id, session);
    // The client learns of the session by the answer, and can be told about it after that.
    setImmediate(() => void session.tellCommands().catch(onError));
    return session;
  }
}

function checkFolder(cwd: string): void {
  if (!isAbsolute(cwd))
    throw new DragomanError('bad-request', `The folder of a session is an absolute path, not "${cwd}".`);
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new DragomanError('bad-request', `${cwd} is not a folder on this machine.`);
}
