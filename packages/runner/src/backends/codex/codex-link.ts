import { type Choice, DragomanError } from '@dragoman/protocol';
import { type ChildAgent, type ChildEnding, startChildAgent } from '../../backend/child-agent.ts';
import { type Fields, fieldsIn, listIn, textIn, toFields } from '../../backend/fields.ts';
import { JsonRpcConnection, JsonRpcError } from '../../backend/json-rpc.ts';
import { shownCommand } from '../../backend/shown-command.ts';
import type { RunnerLog } from '../../runner-log.ts';
import { CODEX_PRESET, type CodexAgent } from './codex-agent.ts';
import { loginWanted, toRefusal } from './describe-error.ts';

/** It is a large program that starts others, and machines are busy. */
const START_LIMIT_MS = 120_000;
const LIST_LIMIT_MS = 20_000;

const HELLO = {
  clientInfo: { name: 'dragoman', title: 'Dragoman', version: '0.1.0' },
  // Questions to people, and threads that are gone on with without their whole history, are not in the stable part.
  capabilities: { experimentalApi: true, requestAttestation: false },
};

const METHODS = { new: 'thread/start', resume: 'thread/resume', fork: 'thread/fork' } as const;

/** How a conversation begins. */
export type OpenHow = { type: 'new' } | { type: 'resume' | 'fork'; agentSessionId: string };

/** What a link is made from. */
export interface CodexLinkOptions {
  agent: CodexAgent;
  cwd: string;
  log: RunnerLog;
  onNotification: (method: string, params: Fields) => void;
  onRequest: (method: string, params: Fields) => Promise<unknown>;
  /** Once, when it is gone, with the error that everything that waited for it fails with. */
  onGone: (error: DragomanError) => void;
  signal: AbortSignal;
}

/** A running app server of Codex. */
export class CodexLink {
  readonly rpc: JsonRpcConnection;
  readonly #options: CodexLinkOptions;
  #child!: ChildAgent;
  #heardAt = Date.now();

  private constructor(options: CodexLinkOptions) {
    this.#options = options;
    const { title } = options.agent;
    this.rpc = new JsonRpcConnection({
      peer: title,
      write: (line) => this.#child.write(line),
      onRequest: (method, params) => options.onRequest(method, toFields(params)),
      onNotification: (method, params) => options.onNotification(method, toFields(params)),
      onProblem: (problem) => options.log.debug({ agent: title }, problem),
      hasVersion: false,
      requestLimitMs: START_LIMIT_MS,
    });
  }

  /** Starts Codex, says hello, and looks whether somebody is logged in. One that does not answer is stopped. */
  static async start(options: CodexLinkOptions): Promise<CodexLink> {
    const link = new CodexLink(options);
    await link.#start();
    return link;
  }

  get isAlive(): boolean {
    return this.#child.isRunning;
  }

  /** When it said something last. */
  get heardAt(): number {
    return this.#heardAt;
  }

  /** Opens a thread, and gives back what Codex tells of it. */
  async open(how: OpenHow, settings: object): Promise<{ threadId: string; opened: Fields }> {
    const { agent, cwd, signal } = this.#options;
    const known = how.type === 'new' ? {} : { threadId: how.agentSessionId, excludeTurns: true };
    try {
      const params = { ...known, cwd, ...settings };
      const opened = toFields(await this.rpc.request(METHODS[how.type], params, { signal }));
      const threadId = textIn(fieldsIn(opened, 'thread'), 'id');
      if (threadId !== undefined) return { threadId, opened };
    } catch (error) {
      throw toRefusal(agent.title, how.type === 'new' ? 'begin a conversation' : 'open the conversation', error);
    }
    throw new DragomanError('unavailable', `${agent.title} opened a conversation without an id; update it`);
  }

  /** The models that can be chosen. A release that does not tell has no list. */
  async listModels(): Promise<Choice[]> {
    const { signal } = this.#options;
    try {
      const answer = toFields(
        await this.rpc.request('model/list', { limit: 100 }, { timeoutMs: LIST_LIMIT_MS, signal }),
      );
      return listIn(answer, 'data').flatMap(toChoice);
    } catch {
      return [];
    }
  }

  /** Ends it and everything it started. */
  async stop(): Promise<void> {
    await this.#child.stop();
  }

  async #start(): Promise<void> {
    const { agent, cwd, log, signal } = this.#options;
    this.#child = await startChildAgent({
      command: agent.command,
      cwd,
      env: agent.env,
      installHint: CODEX_PRESET.install,
      onLine: (line) => {
        this.#heardAt = Date.now();
        return this.rpc.receive(line);
      },
      onStderr: (text) => log.debug({ agent: agent.title }, text.trimEnd()),
      onExit: (ending) => {
        const error = goneError(agent, ending);
        this.rpc.close(error);
        this.#options.onGone(error);
      },
    });
    try {
      await this.rpc.request('initialize', HELLO, { signal });
      this.rpc.notify('initialized');
      await this.#checkLogin();
    } catch (error) {
      await this.#child.stop();
      throw toRefusal(
        agent.title,
        `start a conversation; does "${shownCommand(agent.command)}" run its app server?`,
        error,
      );
    }
  }

  async #checkLogin(): Promise<void> {
    const { agent, signal } = this.#options;
    try {
      const state = toFields(await this.rpc.request('account/read', { refreshToken: false }, { signal }));
      const isNobody = state['account'] === null || state['account'] === undefined;
      if (isNobody && state['requiresOpenaiAuth'] === true) throw loginWanted(agent.title);
    } catch (error) {
      if (!(error instanceof JsonRpcError)) throw error; // A release that does not know the question is believed.
    }
  }
}

function toChoice(model: Fields): Choice[] {
  const [id, name, description] = [
    textIn(model, 'model') ?? textIn(model, 'id'),
    textIn(model, 'displayName'),
    textIn(model, 'description'),
  ];
  if (id === undefined || model['hidden'] === true) return [];
  return [{ id, ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) }];
}

function goneError(agent: CodexAgent, ending: ChildEnding): DragomanError {
  return new DragomanError('unavailable', `${agent.title} (${shownCommand(agent.command)}) ${ending.text}`, {
    isRetryable: true,
  });
}
