import {
  type AgentBackend,
  type ApprovalReply,
  type BackendPrompt,
  type BackendSession,
  DragomanError,
  type TurnEnd,
} from '@dragoman/protocol';
import type { AgentSetup } from '../../backend/agent-registry.ts';
import { type Fields, fieldsIn, textIn, toFields } from '../../backend/fields.ts';
import { JsonRpcError } from '../../backend/json-rpc.ts';
import { type ProgramTurn, ProgramTurns } from '../../backend/program-turns.ts';
import { watchSilence } from '../../backend/watch-silence.ts';
import type { RunnerLog } from '../../runner-log.ts';
import { CODEX_CAPABILITIES, type CodexAgent, codexAgent } from './codex-agent.ts';
import { CodexLink, type OpenHow } from './codex-link.ts';
import { CODEX_MODES, readMode } from './codex-modes.ts';
import { toFailedTurn, toTurnFault } from './describe-error.ts';
import { type CodexInput, encodePrompt, words } from './encode-prompt.ts';
import { type OpenedSession, openSession } from './opened-session.ts';
import { ThreadSettings } from './thread-settings.ts';

interface Turn extends ProgramTurn {
  /** What Codex calls it, once it began. */
  id: string | undefined;
  end: PromiseWithResolvers<TurnEnd>;
}

/**
 * Drives Codex through its app server.
 *
 * One process serves all turns of a session. When it dies the turn fails with its last words, and the next prompt starts
 * it again with the same conversation.
 */
export class CodexBackend implements AgentBackend {
  readonly capabilities = CODEX_CAPABILITIES;
  readonly #agent: CodexAgent;
  readonly #log: RunnerLog;
  readonly #disposing = new AbortController();
  readonly #turns: ProgramTurns<Turn>;
  readonly #settings: ThreadSettings;
  #opened: OpenedSession | undefined;
  #link: CodexLink | undefined;
  #connecting: Promise<CodexLink> | undefined;
  #threadId: string | undefined;

  constructor(setup: AgentSetup, options: { cancelLimitMs?: number } = {}) {
    this.#agent = codexAgent(setup);
    this.#log = setup.log;
    this.#settings = new ThreadSettings(this.#agent, { model: setup.model, mode: setup.mode });
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
    return this.#turns.run({ id: undefined, isCancelled: false, stoppedBy: undefined, end }, async (turn) => {
      const input = encodePrompt(prompt.content);
      const link = await this.#connected();
      return turn.isCancelled ? { reason: 'cancelled' } : this.#runTurn(turn, link, input);
    });
  }

  async steer(prompt: BackendPrompt): Promise<boolean> {
    return this.#steer(encodePrompt(prompt.content));
  }

  async cancel(): Promise<void> {
    const turn = this.#turns.callOff();
    if (turn === undefined) return;
    this.#opened?.approvals.callOff();
    const link = this.#link;
    if (link?.isAlive !== true) return;
    this.#interrupt(turn, link);
    this.#turns.stopUnlessEnded(link);
  }

  async answer(approvalId: string, reply: ApprovalReply): Promise<void> {
    this.#opened?.approvals.answer(approvalId, reply);
  }

  async setModel(model: string): Promise<void> {
    this.#choose('model', model);
  }

  async setMode(mode: string): Promise<void> {
    this.#choose('mode', mode);
  }

  async dispose(): Promise<void> {
    this.#disposing.abort(new DragomanError('cancelled', `${this.#agent.title} was ended`));
    this.#opened?.approvals.withdrawAll();
    await this.#connecting?.catch(() => {});
    await this.#link?.stop();
  }

  async #runTurn(turn: Turn, link: CodexLink, input: CodexInput[]): Promise<TurnEnd> {
    const { approvals, writer, items, usage } = this.#opened!;
    approvals.isCalledOff = false;
    const letGo = watchSilence(this.#agent, link, approvals, (error) => (turn.stoppedBy = error));
    try {
      const params = { threadId: this.#threadId, input, ...this.#settings.forTurn() };
      const begun = toFields(await link.rpc.request('turn/start', params));
      turn.id ??= textIn(fieldsIn(begun, 'turn'), 'id');
      if (turn.isCancelled) this.#interrupt(turn, link);
      const end = await turn.end.promise;
      return turn.isCancelled ? { reason: 'cancelled' } : end;
    } catch (error) {
      return this.#turns.broken(turn, error, (cause) => toTurnFault(this.#agent.title, cause));
    } finally {
      letGo();
      approvals.withdrawAll();
      writer.closeAll();
      items.turnOver();
      const took = usage.turn();
      if (took !== undefined) writer.usage(took);
    }
  }

  #takeTurn(completed: Fields): void {
    const turn = this.#turns.current;
    if (turn === undefined || (turn.id !== undefined && turn.id !== textIn(completed, 'id'))) return;
    switch (textIn(completed, 'status')) {
      case 'failed': {
        const end = toFailedTurn(this.#agent.title, fieldsIn(completed, 'error'));
        if (end.reason === 'failed' && end.error !== undefined && !turn.isCancelled)
          this.#opened!.writer.error(end.error);
        return turn.end.resolve(end);
      }
      case 'interrupted':
        return turn.end.resolve({ reason: 'cancelled' });
      default:
        return turn.end.resolve({ reason: 'done' });
    }
  }

  /** The end of the turn tells whether it worked. */
  #interrupt(turn: Turn, link: CodexLink): void {
    if (turn.id === undefined) return; // As soon as it has a name.
    const params = { threadId: this.#threadId, turnId: turn.id };
    link.rpc.request('turn/interrupt', params).catch(() => {});
  }

  async #steer(input: CodexInput[]): Promise<boolean> {
    const [turn, link] = [this.#turns.current, this.#link];
    if (turn?.id === undefined || turn.isCancelled || link?.isAlive !== true) return false;
    try {
      await link.rpc.request('turn/steer', { threadId: this.#threadId, input, expectedTurnId: turn.id });
      return true;
    } catch (error) {
      if (error instanceof JsonRpcError) return false; // It is over by now, or of a kind that takes nothing more.
      throw error;
    }
  }

  async #begin(session: BackendSession, how: OpenHow): Promise<void> {
    if (this.#opened !== undefined) throw new DragomanError('conflict', 'this backend has a session already');
    this.#settings.prefer(session);
    if (how.type === 'resume') this.#threadId = how.agentSessionId;
    this.#opened = openSession(session, how, {
      threadId: () => this.#threadId,
      turnId: () => this.#turns.current?.id,
      onTurnStarted: (turnId) => {
        if (this.#turns.current !== undefined) this.#turns.current.id ??= turnId;
      },
      onTurnCompleted: (turn) => this.#takeTurn(turn),
      onFeedback: (text) => void this.#steer([words(text)]).catch(() => {}),
    });
    try {
      await this.#connected(how);
    } catch (error) {
      this.#opened = undefined; // It may be tried in another way.
      this.#threadId = undefined;
      throw error;
    }
  }

  /** Codex, running and with the thread open; started again where it died. */
  async #connected(how?: OpenHow): Promise<CodexLink> {
    this.#disposing.signal.throwIfAborted();
    if (this.#opened === undefined) throw new DragomanError('conflict', 'the session was not started');
    if (this.#link?.isAlive === true) return this.#link;
    this.#connecting ??= this.#connect(this.#opened, how).finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  async #connect(opened: OpenedSession, how: OpenHow | undefined): Promise<CodexLink> {
    const { session, news, questions, approvals, items } = opened;
    const link = await CodexLink.start({
      agent: this.#agent,
      cwd: session.cwd,
      log: this.#log,
      signal: this.#disposing.signal,
      onNotification: (method, params) => news.take(method, params),
      onRequest: (method, params) => questions.serve(method, params),
      onGone: (error) => {
        approvals.withdrawAll();
        items.clear();
        this.#turns.current?.end.reject(error);
      },
    });
    this.#link = link;
    try {
      const { threadId, opened: told } = await this.#openThread(opened, link, how);
      const mode = this.#settings.chosen.mode ?? readMode(told);
      const model = this.#settings.chosen.model ?? textIn(told, 'model');
      this.#threadId = threadId;
      session.emit({
        type: 'agent-updated',
        agentSessionId: threadId,
        modes: [...CODEX_MODES],
        ...(model === undefined ? {} : { model }),
        ...(mode === undefined ? {} : { mode }),
        capabilities: this.capabilities,
      });
    } catch (error) {
      await link.stop();
      throw error;
    }
    void link.listModels().then((models) => {
      if (models.length > 0) session.emit({ type: 'agent-updated', models });
    });
    return link;
  }

  async #openThread(opened: OpenedSession, link: CodexLink, how: OpenHow | undefined): ReturnType<CodexLink['open']> {
    const known = this.#threadId;
    if (how !== undefined || known === undefined) return link.open(how ?? { type: 'new' }, this.#settings.forThread());
    try {
      return await link.open({ type: 'resume', agentSessionId: known }, this.#settings.forThread());
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code !== 'not-found') throw error;
      opened.writer.notice(`${this.#agent.title} was started anew and remembers nothing of before.`, 'warning');
      return link.open({ type: 'new' }, this.#settings.forThread());
    }
  }

  #choose(about: 'model' | 'mode', value: string): void {
    if (this.#opened === undefined) throw new DragomanError('conflict', 'the session was not started');
    this.#settings.choose(about, value);
    this.#opened.session.emit({ type: 'agent-updated', [about]: value });
  }
}
