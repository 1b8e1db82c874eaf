import { type BackendCapabilities, DragomanError } from '@dragoman/protocol';
import { type Fields, fieldsIn, isOffered, textIn, toFields } from '../../backend/fields.ts';
import { JsonRpcError } from '../../backend/json-rpc.ts';
import { type AcpConnection, type AcpConnectionOptions, connectAcp } from './acp-connection.ts';
import { readTextFile, writeTextFile } from './client-files.ts';
import { ClientTerminals } from './client-terminals.ts';
import { describeRpcError, LoginWantedError, quietAuthMethod, wantsLogin } from './describe-login.ts';
import type { Questions } from './questions.ts';
import type { SessionUpdates } from './session-updates.ts';

/** How a session begins. */
export type OpenHow = { type: 'new' } | { type: 'resume' | 'fork'; agentSessionId: string };

/** What a link is made from. */
export interface AcpLinkOptions extends Pick<AcpConnectionOptions, 'agent' | 'cwd' | 'log' | 'signal'> {
  updates: SessionUpdates;
  questions: Questions;
  onGone: () => void;
}

/** A running agent and its one session: opens it, and serves what the agent asks of its client. */
export class AcpLink {
  readonly terminals: ClientTerminals;
  readonly #options: AcpLinkOptions;
  #connection!: AcpConnection;
  #sessionId: string | undefined;
  #isGone = false;
  #heardAt = Date.now();

  private constructor(options: AcpLinkOptions) {
    this.#options = options;
    this.terminals = new ClientTerminals(options.cwd, options.agent.env);
  }

  /** Starts the agent. */
  static async start(options: AcpLinkOptions): Promise<AcpLink> {
    const link = new AcpLink(options);
    link.#connection = await connectAcp({
      ...options,
      onRequest: (method, params, signal) => link.#serve(method, params, signal),
      onNotification: (method, params) => link.#hear(method, params),
      onGone: () => {
        link.#isGone = true;
        void link.terminals.endAll();
        options.onGone();
      },
    });
    return link;
  }

  get rpc(): AcpConnection['rpc'] {
    return this.#connection.rpc;
  }

  get authMethods(): readonly Fields[] {
    return this.#connection.authMethods;
  }

  /** What the agent told that it can do. */
  get capabilities(): Fields {
    return this.#connection.capabilities;
  }

  get isAlive(): boolean {
    return !this.#isGone && this.#connection.child.isRunning;
  }

  /** When the agent said something last. */
  get heardAt(): number {
    return this.#heardAt;
  }

  /** What the agent calls the session. */
  get sessionId(): string {
    return this.#sessionId ?? '';
  }

  /** What of it people can use. */
  backendCapabilities(): BackendCapabilities {
    const session = fieldsIn(this.capabilities, 'sessionCapabilities');
    return {
      resume: isOffered(session, 'resume') || isOffered(this.capabilities, 'loadSession'),
      fork: isOffered(session, 'fork'),
      approvals: true,
      images: isOffered(fieldsIn(this.capabilities, 'promptCapabilities'), 'image'),
      files: true,
    };
  }

  /** Opens the session. What the agent tells of its history meanwhile is passed over. */
  async open(how: OpenHow): Promise<void> {
    const { updates, cwd } = this.#options;
    const known = how.type === 'new' ? {} : { sessionId: how.agentSessionId };
    this.#sessionId = undefined;
    updates.opening(how.type === 'new');
    const method = this.#method(how);
    const answer = toFields(await this.#request(method, { ...known, cwd, mcpServers: [] }));
    // The history should be told by then. Some agents go on telling it, and it would be shown as new.
    const mayTellPast = method === 'session/load' || method === 'session/fork';
    if (mayTellPast) await updates.untilSilent();
    this.#sessionId = textIn(answer, 'sessionId') ?? (how.type === 'resume' ? how.agentSessionId : undefined);
    if (this.#sessionId === undefined)
      throw new DragomanError('unavailable', `${this.#options.agent.title} opened a session without an id`);
    updates.opened(answer, { mayTellPast });
  }

  /** Ends the agent and what it runs through us. */
  async stop(): Promise<void> {
    await Promise.all([this.#connection.child.stop(), this.terminals.endAll()]);
  }

  #method(how: OpenHow): string {
    const { title } = this.#options.agent;
    const session = fieldsIn(this.capabilities, 'sessionCapabilities');
    if (how.type === 'new') return 'session/new';
    if (how.type === 'fork') {
      if (isOffered(session, 'fork')) return 'session/fork';
      throw new DragomanError('bad-request', `${title} cannot fork a conversation; start a new one`);
    }
    if (isOffered(session, 'resume')) return 'session/resume';
    if (isOffered(this.capabilities, 'loadSession')) return 'session/load';
    throw new DragomanError('not-found', `${title} cannot go on with a conversation of earlier; start a new one`);
  }

  /** Asks, and where a login is wanted and one is at hand that needs nobody, asks once more after it. */
  async #request(method: string, params: object): Promise<unknown> {
    const { agent, signal } = this.#options;
    try {
      return await this.rpc.request(method, params, { signal });
    } catch (error) {
      if (!wantsLogin(error, true)) throw this.#openError(error, method);
      const methodId = quietAuthMethod(agent, this.authMethods);
      if (methodId === undefined) throw new LoginWantedError(agent, this.authMethods, error);
    }
    try {
      await this.rpc.request('authenticate', { methodId: quietAuthMethod(agent, this.authMethods) }, { signal });
      return await this.rpc.request(method, params, { signal });
    } catch (error) {
      throw error instanceof JsonRpcError ? new LoginWantedError(agent, this.authMethods, error) : error;
    }
  }

  #openError(error: unknown, method: string): unknown {
    if (!(error instanceof JsonRpcError)) return error;
    const text = `${this.#options.agent.title} could not open the session: ${describeRpcError(error)}`;
    const isGone = method !== 'session/new' && isForgotten(error);
    return new DragomanError(isGone ? 'not-found' : 'unavailable', text, { cause: error });
  }

  #hear(method: string, params: Fields): void {
    this.#heardAt = Date.now();
    if (method !== 'session/update') return;
    // While a session is opened its id may not be known yet; later, others are those of subagents.
    const sessionId = textIn(params, 'sessionId');
    if (this.#sessionId !== undefined && sessionId !== undefined && sessionId !== this.#sessionId) return;
    this.#options.updates.take(fieldsIn(params, 'update'));
  }

  async #serve(method: string, params: Fields, signal: AbortSignal): Promise<unknown> {
    this.#heardAt = Date.now();
    const { terminals } = this;
    switch (method) {
      case 'session/request_permission':
        return this.#options.questions.ask(params);
      case 'fs/read_text_file':
        return readTextFile(this.#options.cwd, params);
      case 'fs/write_text_file':
        return writeTextFile(this.#options.cwd, params);
      case 'terminal/create':
        return terminals.create(params);
      case 'terminal/output':
        return terminals.output(params);
      case 'terminal/wait_for_exit':
        return terminals.waitForExit(params, signal);
      case 'terminal/kill':
        return terminals.kill(params);
      case 'terminal/release':
        return terminals.release(params);
      default:
        throw JsonRpcError.unknownMethod(method);
    }
  }
}

const INVALID_PARAMS = -32_602;
const RESOURCE_NOT_FOUND = -32_002;

/** Whether the agent does not know the conversation any more. Some say so only in words. */
function isForgotten(error: JsonRpcError): boolean {
  if (error.rpcCode === RESOURCE_NOT_FOUND || error.rpcCode === INVALID_PARAMS) return true;
  const text = describeRpcError(error);
  return (
    /session|conversation|thread/i.test(text) && /not found|no such|unknown|does not exist|expired|invalid/i.test(text)
  );
}
