import {
  type AgentBackend,
  type ApprovalReply,
  type BackendPrompt,
  type BackendSession,
  DragomanError,
  type TurnEnd,
} from '@dragoman/protocol';
import type { AgentSetup } from '../../backend/agent-registry.ts';
import { type Fields, fieldsIn, textIn } from '../../backend/fields.ts';
import { type ProgramTurn, ProgramTurns } from '../../backend/program-turns.ts';
import { watchSilence } from '../../backend/watch-silence.ts';
import type { RunnerLog } from '../../runner-log.ts';
import { CLAUDE_CAPABILITIES, type ClaudeAgent, claudeAgent, type OpenHow } from './claude-agent.ts';
import { ClaudeLink } from './claude-link.ts';
import { isForgotten } from './describe-login.ts';
import { type ClaudePromptBlock, encodePrompt } from './encode-prompt.ts';
import { type OpenedSession, openSession } from './opened-session.ts';
import { readHello } from './read-hello.ts';
import { toTurnEnd } from './turn-end.ts';

/** A mode that it only takes when it is started. */
const BYPASS = 'bypassPermissions';

interface Turn extends ProgramTurn {
  end: PromiseWithResolvers<TurnEnd>;
}

/**
 * Drives Claude Code without a screen, through the lines of JSON that its own SDK uses.
 *
 * One process serves all turns of a session. When it dies the turn fails with its last words, and the next prompt starts
 * it again with the same conversation.
 */
export class ClaudeBackend implements AgentBackend {
  readonly capabilities = CLAUDE_CAPABILITIES;
  readonly #agent: ClaudeAgent;
  readonly #log: RunnerLog;
  readonly #disposing = new AbortController();
  readonly #turns: ProgramTurns<Turn>;
  #wanted: { model: string | undefined; mode: string | undefined };
  #opened: OpenedSession | undefined;
  #link: ClaudeLink | undefined;
  #connecting: Promise<ClaudeLink> | undefined;
  #agentSessionId: string | undefined;

  constructor(setup: AgentSetup, options: { cancelLimitMs?: number } = {}) {
    this.#agent = claudeAgent(setup);
    this.#log = setup.log;
    this.#wanted = { model: setup.model, mode: setup.mode };
    this.#turns = new ProgramTurns({
      title: this.#agent.title,
      log: setup.log,
      disposing: this.#disposing.signal,
      cancelLimitMs: options.cancelLimitMs,
    });
  }

  async start(session: BackendSession): Promise<void> {
    await this.#begin(session, { type: 'new' });
  }

  async resume(session: BackendSession, agentSessionId: string): Promise<void> {
    await this.#begin(session, { type: 'resume', agentSessionId });
  }

  async fork(session: BackendSession, agentSessionId: string, beforeMessageId?: string): Promise<void> {
    if (beforeMessageId !== undefined)
      throw new DragomanError('bad-request', `${this.#agent.title} can only fork a conversation at its end`);
    await this.#begin(session, { type: 'fork', agentSessionId });
  }

  async prompt(prompt: BackendPrompt): Promise<TurnEnd> {
    const end = Promise.withResolvers<TurnEnd>();
    end.promise.catch(() => {}); // It may die before anybody waits for the end.
    return this.#turns.run({ isCancelled: false, stoppedBy: undefined, end }, async (turn) => {
      const content = encodePrompt(prompt.content);
      const link = await this.#connected();
      return turn.isCancelled ? { reason: 'cancelled' } : this.#runTurn(turn, link, content);
    });
  }

  async cancel(): Promise<void> {
    if (this.#turns.callOff() === undefined) return;
    this.#opened?.approvals.callOff();
    const link = this.#link;
    if (link?.isAlive !== true) return;
    link.control.request({ subtype: 'interrupt' }).catch(() => {}); // The end of the turn tells whether it worked.
    this.#turns.stopUnlessEnded(link);
  }

  async answer(approvalId: string, reply: ApprovalReply): Promise<void> {
    this.#opened?.approvals.answer(approvalId, reply);
  }

  async setModel(model: string): Promise<void> {
    await this.#choose('model', model, { subtype: 'set_model', model });
  }

  async setMode(mode: string): Promise<void> {
    if (mode === BYPASS && this.#wanted.mode !== BYPASS) {
      if (this.#turns.current !== undefined)
        throw new DragomanError(
          'conflict',
          `${this.#agent.title} changes to "${BYPASS}" only between turns; wait for it`,
        );
      await this.#link?.stop();
    }
    await this.#choose('mode', mode, { subtype: 'set_permission_mode', mode });
  }

  async dispose(): Promise<void> {
    this.#disposing.abort(new DragomanError('cancelled', `${this.#agent.title} was ended`));
    this.#opened?.approvals.withdrawAll();
    await this.#connecting?.catch(() => {});
    await this.#link?.stop();
  }

  async #runTurn(turn: Turn, link: ClaudeLink, content: ClaudePromptBlock[]): Promise<TurnEnd> {
    const { approvals, messages, writer, calls } = this.#opened!;
    messages.turnStarted();
    approvals.isCalledOff = false;
    const letGo = watchSilence(this.#agent, link, approvals, (error) => (turn.stoppedBy = error));
    try {
      await link.send({
        type: 'user',
        session_id: this.#agentSessionId ?? '',
        message: { role: 'user', content },
        parent_tool_use_id: null,
      });
      const end = await turn.end.promise;
      return turn.isCancelled ? { reason: 'cancelled' } : end;
    } catch (error) {
      return this.#turns.broken(turn, error);
    } finally {
      letGo();
      approvals.withdrawAll();
      writer.closeAll();
      calls.turnOver();
    }
  }

  /** A turn is over: one of ours, or one that Claude Code began by itself when work in the background was done. */
  #takeResult(result: Fields): void {
    const { writer, messages, usage, calls } = this.#opened!;
    const end = toTurnEnd(this.#agent.title, result, messages.apiError);
    if (end.reason === 'failed' && end.error !== undefined && this.#turns.current?.isCancelled !== true)
      writer.error(end.error);
    writer.closeAll();
    const took = usage.turn(result);
    if (took !== undefined) writer.usage(took);
    calls.turnOver();
    if (isForgotten(end.error?.message ?? '')) {
      this.#agentSessionId = undefined; // The next prompt begins a conversation of its own.
      this.#opened!.how = { type: 'new' };
    }
    const origin = textIn(fieldsIn(result, 'origin'), 'kind') ?? 'human';
    if (origin === 'human') this.#turns.current?.end.resolve(end);
  }

  async #begin(session: BackendSession, how: OpenHow): Promise<void> {
    if (this.#opened !== undefined) throw new DragomanError('conflict', 'this backend has a session already');
    this.#wanted = { model: session.model ?? this.#wanted.model, mode: session.mode ?? this.#wanted.mode };
    this.#opened = openSession(session, how, {
      onSession: (agentSessionId) => this.#learnSession(agentSessionId),
      onResult: (result) => this.#takeResult(result),
    });
    if (how.type === 'resume') this.#agentSessionId = how.agentSessionId;
    try {
      await this.#connected();
    } catch (error) {
      this.#opened = undefined; // It may be tried in another way.
      this.#agentSessionId = undefined;
      throw error;
    }
  }

  #learnSession(agentSessionId: string): void {
    if (agentSessionId === this.#agentSessionId) return;
    this.#agentSessionId = agentSessionId;
    this.#opened!.session.emit({ type: 'agent-updated', agentSessionId });
  }

  /** Claude Code, running and with the conversation open; started again where it died. */
  async #connected(): Promise<ClaudeLink> {
    this.#disposing.signal.throwIfAborted();
    if (this.#opened === undefined) throw new DragomanError('conflict', 'the session was not started');
    if (this.#link?.isAlive === true) return this.#link;
    this.#connecting ??= this.#connect(this.#opened).finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  async #connect(opened: OpenedSession): Promise<ClaudeLink> {
    const isAgain = this.#link !== undefined;
    const known = this.#agentSessionId;
    const how: OpenHow = known === undefined ? opened.how : { type: 'resume', agentSessionId: known };
    try {
      this.#link = await this.#startLink(opened, how);
    } catch (error) {
      const isForgotten = error instanceof DragomanError && error.code === 'not-found' && how.type === 'resume';
      if (!isAgain || !isForgotten) throw error;
      opened.writer.notice(`${this.#agent.title} was started anew and remembers nothing of before.`, 'warning');
      this.#link = await this.#startLink(opened, { type: 'new' });
    }
    const news = readHello(this.#link.hello, this.#wanted.model);
    opened.session.emit({ type: 'agent-updated', ...news, capabilities: this.capabilities });
    for (const about of ['model', 'mode'] as const)
      if (this.#wanted[about] !== undefined) opened.messages.learn(about, this.#wanted[about]);
    return this.#link;
  }

  async #startLink(opened: OpenedSession, how: OpenHow): Promise<ClaudeLink> {
    const { session, messages, questions, approvals, calls } = opened;
    const link: ClaudeLink = await ClaudeLink.start({
      agent: this.#agent,
      how,
      chosen: this.#wanted,
      cwd: session.cwd,
      log: this.#log,
      signal: this.#disposing.signal,
      onMessage: (message) => messages.take(message),
      onRequest: (request, signal) => questions.serve(request, signal),
      onGone: (error) => {
        approvals.withdrawAll();
        calls.clear();
        this.#turns.current?.end.reject(error);
      },
    });
    return link;
  }

  /** What is chosen while Claude Code does not run is what it is started with. */
  async #choose(
    about: 'model' | 'mode',
    value: string,
    request: { subtype: string } & Record<string, unknown>,
  ): Promise<void> {
    if (this.#opened === undefined) throw new DragomanError('conflict', 'the session was not started');
    const link = (await this.#connecting) ?? this.#link;
    if (link?.isAlive === true)
      await link.control.request(request).catch((error: unknown) => {
        if (!(error instanceof DragomanError) || error.code !== 'bad-request') throw error;
        const text = `${this.#agent.title} refused the ${about} "${value}": ${error.message}`;
        throw new DragomanError('bad-request', text, { cause: error });
      });
    this.#wanted = { ...this.#wanted, [about]: value };
    this.#opened.messages.learn(about, value);
  }
}
