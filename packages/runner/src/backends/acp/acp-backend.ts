import {
  type AgentBackend,
  type ApprovalReply,
  type BackendCapabilities,
  type BackendPrompt,
  type BackendSession,
  DragomanError,
  type TurnEnd,
} from '@dragoman/protocol';
import type { AgentSetup } from '../../backend/agent-registry.ts';
import { fieldsIn, textIn, toFields } from '../../backend/fields.ts';
import { JsonRpcError } from '../../backend/json-rpc.ts';
import { type ProgramTurn, ProgramTurns } from '../../backend/program-turns.ts';
import { toFault } from '../../backend/to-fault.ts';
import { watchSilence } from '../../backend/watch-silence.ts';
import type { RunnerLog } from '../../runner-log.ts';
import { type AcpAgent, acpAgent } from './acp-agent.ts';
import { AcpLink, type OpenHow } from './acp-link.ts';
import { chooseOption } from './choose-option.ts';
import { describeRpcError, LoginWantedError, wantsLogin } from './describe-login.ts';
import { encodePrompt } from './encode-prompt.ts';
import { type OpenedSession, openSession } from './opened-session.ts';
import type { SessionUpdates } from './session-updates.ts';
import { toTurnEnd } from './turn-end.ts';

/**
 * Drives any agent that speaks the Agent Client Protocol.
 *
 * The agent is a child process. When it dies the turn fails with its last words, and the next prompt starts it again and
 * goes on with the same conversation, where the agent can.
 */
export class AcpBackend implements AgentBackend {
  readonly #agent: AcpAgent;
  readonly #log: RunnerLog;
  readonly #disposing = new AbortController();
  readonly #turns: ProgramTurns<ProgramTurn>;
  #capabilities: BackendCapabilities = { resume: true, approvals: true, files: true };
  #wanted: { model: string | undefined; mode: string | undefined };
  #opened: OpenedSession | undefined;
  #link: AcpLink | undefined;
  #connecting: Promise<AcpLink> | undefined;
  #agentSessionId: string | undefined;

  constructor(setup: AgentSetup, options: { cancelLimitMs?: number } = {}) {
    this.#agent = acpAgent(setup);
    this.#log = setup.log;
    this.#wanted = { model: setup.model, mode: setup.mode };
    this.#turns = new ProgramTurns({
      title: this.#agent.title,
      log: setup.log,
      disposing: this.#disposing.signal,
      cancelLimitMs: options.cancelLimitMs,
    });
  }

  get capabilities(): BackendCapabilities {
    return this.#capabilities;
  }

  async start(session: BackendSession): Promise<void> {
    await this.#begin(session, { type: 'new' });
    try {
      await this.#choose('model', this.#wanted.model);
      await this.#choose('mode', this.#wanted.mode);
    } catch (error) {
      await this.#link?.stop();
      throw error;
    }
  }

  async resume(session: BackendSession, agentSessionId: string): Promise<void> {
    await this.#begin(session, { type: 'resume', agentSessionId });
    await this.#chooseAgain();
  }

  async fork(session: BackendSession, agentSessionId: string, beforeMessageId?: string): Promise<void> {
    if (beforeMessageId !== undefined)
      throw new DragomanError('bad-request', `${this.#agent.title} can only fork a conversation at its end`);
    await this.#begin(session, { type: 'fork', agentSessionId });
    await this.#chooseAgain();
  }

  async prompt(prompt: BackendPrompt): Promise<TurnEnd> {
    return this.#turns.run({ isCancelled: false, stoppedBy: undefined }, async (turn) => {
      const link = await this.#connected();
      const content = encodePrompt(prompt.content, fieldsIn(link.capabilities, 'promptCapabilities'));
      return turn.isCancelled ? { reason: 'cancelled' } : this.#runTurn(turn, link, content);
    });
  }

  async cancel(): Promise<void> {
    if (this.#turns.callOff() === undefined) return;
    const link = this.#link;
    link?.rpc.notify('session/cancel', { sessionId: link.sessionId });
    this.#opened?.approvals.callOff();
    if (link !== undefined) this.#turns.stopUnlessEnded(link);
  }

  async answer(approvalId: string, reply: ApprovalReply): Promise<void> {
    this.#opened?.approvals.answer(approvalId, reply);
  }

  async setModel(model: string): Promise<void> {
    await this.#connected();
    await this.#choose('model', model);
  }

  async setMode(mode: string): Promise<void> {
    await this.#connected();
    await this.#choose('mode', mode);
  }

  async dispose(): Promise<void> {
    this.#disposing.abort(new DragomanError('cancelled', `${this.#agent.title} was ended`));
    this.#opened?.approvals.withdrawAll();
    this.#opened?.updates.close();
    await this.#connecting?.catch(() => {});
    await this.#link?.stop();
  }

  async #runTurn(turn: ProgramTurn, link: AcpLink, prompt: unknown): Promise<TurnEnd> {
    const { updates, approvals } = this.#opened!;
    updates.turnStarted();
    approvals.isCalledOff = turn.isCancelled;
    const letGo = watchSilence(this.#agent, link, approvals, (error) => (turn.stoppedBy = error));
    let answer: unknown;
    try {
      answer = await link.rpc.request('session/prompt', { sessionId: link.sessionId, prompt }, { timeoutMs: Infinity });
      return turn.isCancelled ? { reason: 'cancelled' } : toTurnEnd(textIn(toFields(answer), 'stopReason'));
    } catch (error) {
      return this.#turns.broken(turn, this.#told(error, link));
    } finally {
      letGo();
      approvals.withdrawAll();
      updates.turnOver(toFields(answer));
    }
  }

  /** What went wrong in a turn, as people are told of it. */
  #told(error: unknown, link: AcpLink): unknown {
    if (wantsLogin(error, false)) return new LoginWantedError(this.#agent, link.authMethods, error);
    return error instanceof JsonRpcError ? new DragomanError('internal', describeRpcError(error)) : error;
  }

  async #begin(session: BackendSession, how: OpenHow): Promise<void> {
    if (this.#opened !== undefined) throw new DragomanError('conflict', 'this backend has a session already');
    this.#wanted = { model: session.model ?? this.#wanted.model, mode: session.mode ?? this.#wanted.mode };
    this.#opened = openSession(session, {
      hasTellingTitles: this.#agent.hasTellingTitles,
      isContinued: how.type !== 'new',
      terminals: {
        follow: (id, onText) => this.#link?.terminals.follow(id, onText) ?? (() => {}),
        outputOf: (id) => this.#link?.terminals.outputOf(id),
      },
    });
    try {
      await this.#connected(how);
    } catch (error) {
      this.#opened = undefined; // It may be tried in another way.
      throw error;
    }
  }

  /** The agent, running and with the session open; started again where it died. */
  async #connected(how?: OpenHow): Promise<AcpLink> {
    this.#disposing.signal.throwIfAborted();
    if (this.#opened === undefined) throw new DragomanError('conflict', 'the session was not started');
    if (this.#link?.isAlive === true) return this.#link;
    this.#connecting ??= this.#connect(how).finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  async #connect(how: OpenHow | undefined): Promise<AcpLink> {
    const { session, approvals, questions, updates, calls, writer } = this.#opened!;
    const link = await AcpLink.start({
      agent: this.#agent,
      cwd: session.cwd,
      log: this.#log,
      updates,
      questions,
      signal: this.#disposing.signal,
      onGone: () => {
        approvals.withdrawAll();
        calls.clear();
      },
    });
    this.#link = link;
    try {
      const known = this.#agentSessionId;
      if (how !== undefined) await link.open(how);
      else if (known === undefined) await link.open({ type: 'new' });
      else if (await reopened(link, known)) await this.#chooseAgain();
      else {
        writer.notice(`${this.#agent.title} was started anew and remembers nothing of before.`, 'warning');
        await link.open({ type: 'new' });
        await this.#chooseAgain();
      }
    } catch (error) {
      await link.stop();
      throw error;
    }
    this.#agentSessionId = link.sessionId;
    this.#capabilities = { ...link.backendCapabilities(), ...choosable(updates) };
    session.emit({ type: 'agent-updated', agentSessionId: link.sessionId, capabilities: this.#capabilities });
    return link;
  }

  /** Chooses what was chosen before. What is not there any more does not stop the session. */
  async #chooseAgain(): Promise<void> {
    for (const about of ['model', 'mode'] as const)
      try {
        await this.#choose(about, this.#wanted[about]);
      } catch (error) {
        this.#opened!.writer.notice(toFault(error).message, 'warning');
      }
  }

  async #choose(about: 'model' | 'mode', wanted: string | undefined): Promise<void> {
    if (wanted === undefined) return;
    await chooseOption(this.#link!, this.#opened!.updates, about, wanted, this.#agent.title);
    this.#wanted = { ...this.#wanted, [about]: wanted };
  }
}

/** Goes on with the conversation; false where the agent cannot, or does not know it any more. */
async function reopened(link: AcpLink, agentSessionId: string): Promise<boolean> {
  try {
    await link.open({ type: 'resume', agentSessionId });
    return true;
  } catch (error) {
    if (error instanceof DragomanError && error.code === 'not-found') return false;
    throw error;
  }
}

function choosable({ choices }: SessionUpdates): BackendCapabilities {
  return { models: choices.model !== undefined, modes: choices.mode !== undefined };
}
