import { DragomanError } from '@dragoman/protocol';
import { type ChildAgent, type ChildEnding, startChildAgent } from '../../backend/child-agent.ts';
import { type Fields, textIn, textsIn } from '../../backend/fields.ts';
import { shownCommand } from '../../backend/shown-command.ts';
import type { RunnerLog } from '../../runner-log.ts';
import { CLAUDE_PRESET, type ClaudeAgent, claudeCommand, type OpenHow } from './claude-agent.ts';
import { ClaudeControl } from './claude-control.ts';
import { isForgotten, loginWanted, wantsLogin } from './describe-login.ts';

/** It is a large program that starts others, and machines are busy. */
const START_LIMIT_MS = 120_000;

/** What a link is made from. */
export interface ClaudeLinkOptions {
  agent: ClaudeAgent;
  how: OpenHow;
  chosen: { model: string | undefined; mode: string | undefined };
  cwd: string;
  log: RunnerLog;
  onMessage: (message: Fields) => void;
  onRequest: (request: Fields, signal: AbortSignal) => Promise<object>;
  /** Once, when it is gone, with the error that everything that waited for it fails with. */
  onGone: (error: DragomanError) => void;
  signal: AbortSignal;
}

/** Claude Code at work on one conversation. */
export class ClaudeLink {
  readonly control: ClaudeControl;
  readonly #options: ClaudeLinkOptions;
  #child!: ChildAgent;
  #hello: Fields = {};
  #heardAt = Date.now();
  #isReady = false;
  /** What it said before it was ready, which is why it does not start. */
  #refusal = '';

  private constructor(options: ClaudeLinkOptions) {
    this.#options = options;
    this.control = new ClaudeControl({
      peer: options.agent.title,
      write: (line) => this.#child.write(line),
      onMessage: (message) => this.#hear(message),
      onRequest: (request, signal) => options.onRequest(request, signal),
      onProblem: (problem) => options.log.debug({ agent: options.agent.title }, problem),
    });
  }

  /** Starts Claude Code, and resolves when it takes prompts. One that does not answer is stopped. */
  static async start(options: ClaudeLinkOptions): Promise<ClaudeLink> {
    const link = new ClaudeLink(options);
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

  /** What it told of itself when it began: the commands and models that it has. */
  get hello(): Fields {
    return this.#hello;
  }

  /** Writes a message to it. */
  async send(message: object): Promise<void> {
    await this.#child.write(JSON.stringify(message));
  }

  /** Ends it and everything it started. */
  async stop(): Promise<void> {
    await this.#child.stop();
  }

  async #start(): Promise<void> {
    const { agent, how, chosen, cwd, log, signal } = this.#options;
    this.#child = await startChildAgent({
      command: claudeCommand(agent, how, chosen),
      cwd,
      // It refuses to run inside itself, which is no matter here.
      env: { CLAUDECODE: '', ...agent.env },
      installHint: CLAUDE_PRESET.install,
      onLine: (line) => {
        this.#heardAt = Date.now();
        return this.control.receive(line);
      },
      onStderr: (text) => log.debug({ agent: agent.title }, text.trimEnd()),
      onExit: (ending) => {
        const error = this.#goneError(ending);
        this.control.close(error);
        this.#options.onGone(error);
      },
    });
    try {
      const hello = { subtype: 'initialize', hooks: null };
      this.#hello = await this.control.request(hello, { timeoutMs: START_LIMIT_MS, signal });
      this.#isReady = true;
    } catch (error) {
      await this.#child.stop();
      throw error;
    }
  }

  #hear(message: Fields): void {
    if (this.#isReady) return this.#options.onMessage(message);
    if (message['type'] === 'result' && message['is_error'] === true)
      this.#refusal = textsIn(message, 'errors').join('; ') || (textIn(message, 'result') ?? '');
  }

  #goneError(ending: ChildEnding): DragomanError {
    const { agent, how } = this.#options;
    const said = [this.#refusal, this.#child.stderrTail].filter(Boolean).join('\n');
    if (how.type !== 'new' && isForgotten(said))
      return new DragomanError(
        'not-found',
        `${agent.title} does not know the conversation ${how.agentSessionId} any more; start a new one`,
      );
    if (wantsLogin(said)) return loginWanted(agent.title, said.trim().split('\n').at(-1) ?? '');
    const why = this.#refusal === '' ? ending.text : `${ending.text}; it said: ${this.#refusal}`;
    return new DragomanError('unavailable', `${agent.title} (${shownCommand(agent.command)}) ${why}`, {
      isRetryable: true,
    });
  }
}
