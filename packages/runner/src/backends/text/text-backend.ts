import {
  type AgentBackend,
  type BackendCapabilities,
  type BackendPrompt,
  type BackendSession,
  DragomanError,
  type TurnEnd,
} from '@dragoman/protocol';
import type { AgentSetup } from '../../backend/agent-registry.ts';
import { BlockWriter } from '../../backend/block-writer.ts';
import { type ChildAgent, type ChildEnding, startChildAgent } from '../../backend/child-agent.ts';
import { FixableError } from '../../backend/fixable-error.ts';
import { readProgramSetup } from '../../backend/read-program-setup.ts';
import { shownCommand } from '../../backend/shown-command.ts';
import { answerWriter } from './answer-writer.ts';
import { type LongProcess, openLongProcess } from './open-long-process.ts';
import { promptText } from './prompt-text.ts';
import { TerminalText } from './terminal-text.ts';
import { resolveRules, type TextConfig, textConfigSchema } from './text-config.ts';
import { TextParser } from './text-parser.ts';

const TURN_MINUTES = 60;
/** No person reads more, and a program that writes more will not come to an end. */
const LONGEST_ANSWER = 4 * 1024 * 1024;

type Stopped = 'cancelled' | 'late' | 'endless';

/** A turn that runs. */
interface Turn {
  /** Takes more of the output. */
  push(text: string): void;
  parser: TextParser;
  /** Whether anything came of the output. */
  hasSpoken: boolean;
  /** How it was ended from outside. */
  stopped?: Stopped;
  stop(how: Stopped): void;
  /** The last of the standard error of a process that was there for this turn alone. */
  complaint: string;
  /** Settles when the turn is to end now. */
  whenStopped: Promise<void>;
}

/**
 * Drives any command at all: the prompt goes in as text, and what it prints is read by rules into blocks.
 *
 * By default each prompt is a process of its own. With `run: "process"` one process takes one prompt after the other,
 * and a marker or its prompt tells where an answer ends.
 */
export class TextBackend implements AgentBackend {
  readonly capabilities: BackendCapabilities;
  readonly resume?: (session: BackendSession, agentSessionId: string) => Promise<void>;
  readonly setModel?: (model: string) => Promise<void>;
  readonly #setup: AgentSetup;
  readonly #command: readonly string[];
  readonly #config: TextConfig;
  #session: BackendSession | undefined;
  #model: string | undefined;
  #turn: Turn | undefined;
  #process: LongProcess | undefined;
  #hasForgotten = false;
  #isDisposed = false;
  readonly #children = new Set<ChildAgent>();

  constructor(setup: AgentSetup) {
    this.#setup = setup;
    const { command, config } = readProgramSetup(setup, textConfigSchema);
    this.#command = command;
    this.#config = config;
    this.#model = setup.model;
    const isPerTurn = config.run !== 'process';
    const resumes = isPerTurn && this.#mentions('{sessionId}');
    const models = isPerTurn && this.#mentions('{model}');
    this.capabilities = { ...(resumes ? { resume: true } : {}), ...(models ? { models: true } : {}) };
    if (resumes) this.resume = (session, sessionId) => this.start({ ...session, sessionId });
    if (models) this.setModel = (model) => this.#chooseModel(model);
  }

  async start(session: BackendSession): Promise<void> {
    this.#session = session;
    this.#model = session.model ?? this.#model;
    if (this.#mentions('{model}') && this.#model === undefined)
      throw new DragomanError(
        'bad-request',
        `the command of "${this.#setup.name}" names {model}, but none is chosen; set "model" in its configuration`,
      );
    if (this.#config.run === 'process') this.#process = await this.#openProcess(session);
    if (this.capabilities.resume === true) session.emit({ type: 'agent-updated', agentSessionId: session.sessionId });
  }

  async prompt(prompt: BackendPrompt): Promise<TurnEnd> {
    const session = this.#session;
    if (session === undefined || this.#isDisposed)
      throw new DragomanError('conflict', `"${this.#setup.name}" is not started; start the session first`);
    if (this.#turn !== undefined)
      throw new DragomanError('conflict', `"${this.#setup.name}" still answers the prompt before; wait or cancel it`);
    const writer = new BlockWriter(session.emit);
    const turn = this.#newTurn(prompt, writer);
    this.#turn = turn;
    const minutes = this.#config.turnMinutes ?? TURN_MINUTES;
    const limit = setTimeout(() => turn.stop('late'), minutes * 60_000);
    try {
      const text = promptText(prompt.content);
      const isProcess = this.#config.run === 'process';
      const ending = isProcess
        ? await this.#askProcess(session, turn, text, writer)
        : await this.#runOnce(session, turn, text);
      turn.parser.finish(turn.stopped !== undefined || ending !== undefined);
      if (!turn.hasSpoken && turn.stopped === undefined && ending === undefined)
        writer.notice(silence(turn.complaint), 'warning');
      return this.#turnEnd(turn, ending, minutes);
    } catch (error) {
      turn.parser.finish(true);
      if (turn.stopped !== undefined) return this.#turnEnd(turn, undefined, minutes);
      throw error;
    } finally {
      clearTimeout(limit);
      writer.closeAll();
      this.#turn = undefined;
    }
  }

  async cancel(): Promise<void> {
    if (this.#turn === undefined) return;
    this.#turn.stop('cancelled');
    await this.#stopChildren();
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#turn?.stop('cancelled');
    await this.#stopChildren();
  }

  #newTurn(prompt: BackendPrompt, writer: BlockWriter): Turn {
    const { promise, resolve } = Promise.withResolvers<void>();
    const write = answerWriter(writer);
    let length = 0;
    const parser = new TextParser({
      rules: resolveRules(this.#config.rules),
      idPrefix: `${prompt.id}_call`,
      onPiece: (piece) => {
        turn.hasSpoken ||= piece.type !== 'end';
        write(piece);
      },
    });
    const turn: Turn = {
      parser,
      hasSpoken: false,
      complaint: '',
      whenStopped: promise,
      push: (text) => {
        if (turn.stopped !== undefined) return;
        length += text.length;
        if (length > LONGEST_ANSWER) turn.stop('endless');
        else parser.push(text);
      },
      stop: (how) => {
        turn.stopped ??= how;
        resolve();
      },
    };
    return turn;
  }

  /** A process for this prompt alone. Gives back how it ended where that was not well. */
  async #runOnce(session: BackendSession, turn: Turn, text: string): Promise<ChildEnding | undefined> {
    const isArgument = this.#config.input === 'argument' || this.#mentions('{prompt}');
    const terminal = new TerminalText();
    const child = await this.#start(session, isArgument ? text : undefined, (bytes) => turn.push(terminal.push(bytes)));
    // An agent that does not read its input may be gone before it was written.
    if (!isArgument) void child.write(text).catch(() => {});
    child.closeInput();
    await Promise.race([child.ended, turn.whenStopped]);
    if (turn.stopped !== undefined) await child.stop();
    const ending = await child.ended;
    turn.push(terminal.end());
    turn.complaint = child.stderrTail;
    return ending.code === 0 ? undefined : ending;
  }

  async #askProcess(
    session: BackendSession,
    turn: Turn,
    text: string,
    writer: BlockWriter,
  ): Promise<ChildEnding | undefined> {
    if (this.#process?.child.isRunning !== true) {
      this.#process = await this.#openProcess(session);
      if (this.#hasForgotten) writer.notice('The agent was started anew and remembers nothing of before.', 'warning');
    }
    this.#hasForgotten = true;
    const { child, ask } = this.#process;
    const answered = ask((piece) => turn.push(piece));
    const { inputEnd } = this.#config;
    const lines = inputEnd === undefined ? text.trim().replaceAll(/\s*\n\s*/g, ' ') : `${text}\n${inputEnd}`;
    void child.write(lines).catch(() => {}); // That it is gone is told by `ended`.
    const ending = await Promise.race([answered, child.ended, turn.whenStopped]);
    if (turn.stopped !== undefined) await child.stop();
    return ending ?? undefined;
  }

  #openProcess(session: BackendSession): Promise<LongProcess> {
    const { endMarker, promptPattern } = this.#config;
    return openLongProcess({
      name: this.#setup.name,
      endMarker,
      promptPattern,
      start: (onBytes) => this.#start(session, undefined, onBytes),
    });
  }

  async #start(
    session: BackendSession,
    text: string | undefined,
    onBytes: (bytes: Buffer) => void,
  ): Promise<ChildAgent> {
    const words: Record<string, string> = {
      '{prompt}': text ?? '',
      '{model}': this.#model ?? '',
      '{sessionId}': session.sessionId,
      '{cwd}': session.cwd,
    };
    const command = this.#command.map((word) =>
      word.replaceAll(/\{(?:prompt|model|sessionId|cwd)\}/g, (name) => words[name]!),
    );
    if (text !== undefined && !this.#mentions('{prompt}')) command.push(text);
    const { env } = this.#setup;
    const child = await startChildAgent({ command, cwd: session.cwd, env, onLine() {}, onBytes }).catch(
      (error: unknown) => {
        throw text === undefined ? error : promptRefused(this.#setup.name, text, error);
      },
    );
    this.#children.add(child);
    void child.ended.then(() => this.#children.delete(child));
    if (this.#isDisposed) await child.stop();
    return child;
  }

  #turnEnd(turn: Turn, ending: ChildEnding | undefined, minutes: number): TurnEnd {
    if (turn.stopped === 'cancelled') return { reason: 'cancelled' };
    const name = this.#setup.name;
    if (turn.stopped === 'late') {
      const message = `"${name}" was stopped after ${minutes} minutes`;
      return { reason: 'limit', error: { code: 'timed-out', message, fix: 'Raise "turnMinutes" of this agent.' } };
    }
    if (turn.stopped === 'endless') {
      const message = `"${name}" was stopped after it had written more than ${LONGEST_ANSWER / 1024 / 1024} MB`;
      const fix = `Run it by hand on that machine, and see what it writes: ${shownCommand(this.#command)}`;
      return { reason: 'limit', error: { code: 'too-large', message, fix } };
    }
    if (ending === undefined) return { reason: 'done' };
    const message = `"${name}" ${ending.text}`;
    const fix = `Run it by hand on that machine: ${shownCommand(this.#command)}`;
    return { reason: 'failed', error: { code: 'agent-failed', message, fix } };
  }

  async #stopChildren(): Promise<void> {
    await Promise.all([...this.#children].map((child) => child.stop()));
  }

  async #chooseModel(model: string): Promise<void> {
    this.#model = model;
    this.#session?.emit({ type: 'agent-updated', model });
  }

  #mentions(word: string): boolean {
    return this.#command.some((one) => one.includes(word));
  }
}

/** A program that went well and wrote nothing has often written elsewhere what is the matter. */
function silence(complaint: string): string {
  const last = complaint.trim().split('\n').slice(-3).join('\n');
  return last === '' ? 'The agent said nothing.' : `The agent said nothing; it wrote to its standard error: ${last}`;
}

/** What a prompt can be that no system hands to a program as an argument. */
function promptRefused(name: string, text: string, error: unknown): unknown {
  const fix = 'Set "input": "stdin" for this agent, and leave "{prompt}" out of its command.';
  if (text.includes('\0'))
    return new FixableError(
      'bad-request',
      `the prompt has a NUL character in it, and "${name}" is given its prompt as an argument, which cannot hold one`,
      fix,
      { cause: error },
    );
  if (!(error instanceof DragomanError) || error.code !== 'too-large') return error;
  return new FixableError(
    'too-large',
    `the prompt is ${Buffer.byteLength(text)} bytes long, and too long for "${name}", which is given it as an argument`,
    fix,
    { cause: error },
  );
}
