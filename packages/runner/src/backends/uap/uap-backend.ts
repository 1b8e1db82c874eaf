import {
  type AgentBackend,
  type ApprovalReply,
  type BackendCapabilities,
  type BackendEvent,
  type BackendPrompt,
  type BackendSession,
  DragomanError,
  newId,
  type TurnEnd,
} from '@dragoman/protocol';
import type { AgentSetup } from '../../backend/agent-registry.ts';
import type { ChildEnding } from '../../backend/child-agent.ts';
import { hideSecrets } from '../../backend/hide-secrets.ts';
import { readProgramSetup } from '../../backend/read-program-setup.ts';
import { AskedCalls } from './asked-calls.ts';
import { OpenQuestions } from './open-questions.ts';
import { openUapAgent, type UapAgent, type UapOpening } from './open-uap-agent.ts';
import { readAgentLine } from './read-agent-line.ts';
import { scopedEvent, unscopedId } from './scoped-event.ts';
import { type UapConfig, uapConfigSchema } from './uap-config.ts';

/** What a notice about a line that was not understood begins with. */
export const UNREADABLE_LINE = 'A line of the agent was passed over: ';

/** How many of those are told one by one in a turn; of the others there is a count. */
const MOST_NAMED_LINES = 5;

const START_SECONDS = 60;
const TURN_MINUTES = 24 * 60;
/** How long the agent may take to end a turn that was cancelled, before it is ended itself. */
const CANCEL_LIMIT_MS = 8_000;

/** What a notice about an agent that did not obey begins with. */
export const ENDED_BY_CANCEL = 'The agent did not end its turn when it was cancelled, and was ended.';

/**
 * Drives an agent that speaks the Universal Agent Protocol itself, as JSON lines; see PROTOCOL.md.
 *
 * What it says is passed on as it is. The first lines that cannot be read become notices, and an agent that writes
 * nothing else is ended. An agent that is gone is started again by the next prompt.
 */
export class UapBackend implements AgentBackend {
  capabilities: BackendCapabilities;
  resume?: NonNullable<AgentBackend['resume']>;
  fork?: NonNullable<AgentBackend['fork']>;
  steer?: NonNullable<AgentBackend['steer']>;
  answer?: NonNullable<AgentBackend['answer']>;
  setModel?: NonNullable<AgentBackend['setModel']>;
  setMode?: NonNullable<AgentBackend['setMode']>;
  readonly #setup: AgentSetup;
  readonly #config: UapConfig;
  readonly #cancelMs: number;
  readonly #questions = new OpenQuestions();
  readonly #calls = new AskedCalls();
  #session: BackendSession | undefined;
  #running: UapAgent | undefined;
  #agentSessionId: string | undefined;
  #turn: (PromiseWithResolvers<TurnEnd> & { isCancelled: boolean }) | undefined;
  /** Lines that were not understood since they were last told. */
  #passedOver = 0;
  #isDisposed = false;

  constructor(setup: AgentSetup, limits: { cancelMs?: number } = {}) {
    this.#setup = setup;
    this.#cancelMs = limits.cancelMs ?? CANCEL_LIMIT_MS;
    this.#config = readProgramSetup(setup, uapConfigSchema).config;
    // Who has an id to resume by got it from the agent, so that it is tried before the agent could say.
    this.capabilities = { resume: true };
    this.#declare({ resume: true, ...this.#config.capabilities });
  }

  async start(session: BackendSession): Promise<void> {
    this.#session = session;
    this.#running = await this.#open(session, {});
  }

  async prompt(prompt: BackendPrompt): Promise<TurnEnd> {
    const session = this.#session;
    const { name } = this.#setup;
    if (session === undefined || this.#isDisposed)
      throw new DragomanError('conflict', `"${name}" is not started; start the session first`);
    if (this.#turn !== undefined)
      throw new DragomanError('conflict', `"${name}" still works on the prompt before; wait or cancel it`);
    const turn = { ...Promise.withResolvers<TurnEnd>(), isCancelled: false };
    this.#turn = turn;
    this.#passedOver = 0;
    this.#calls.clear();
    const minutes = this.#config.turnMinutes ?? TURN_MINUTES;
    const limit = setTimeout(() => {
      const message = `"${name}" was stopped after ${minutes} minutes`;
      turn.resolve({
        reason: 'limit',
        error: { code: 'timed-out', message, fix: 'Raise "turnMinutes" of this agent.' },
      });
      void this.#running?.child.stop();
    }, minutes * 60_000);
    try {
      if (this.#running?.child.isRunning !== true) this.#running = await this.#reopen(session);
      if (turn.isCancelled) return { reason: 'cancelled' };
      await this.#send({ type: 'prompt', id: prompt.id, content: prompt.content });
      return await turn.promise;
    } catch (error) {
      if (turn.isCancelled) return { reason: 'cancelled' };
      throw error;
    } finally {
      clearTimeout(limit);
      turn.resolve({ reason: 'cancelled' }); // For a `cancel` that waits; a turn that ended has its reason.
      this.#turn = undefined;
      this.#countPassedOver();
      for (const event of this.#questions.withdrawAll()) session.emit(event);
    }
  }

  async cancel(): Promise<void> {
    const turn = this.#turn;
    if (turn === undefined || turn.isCancelled) return;
    turn.isCancelled = true;
    const { promise: isLate, resolve: tellLate } = Promise.withResolvers<true>();
    const limit = setTimeout(() => tellLate(true), this.#cancelMs);
    void this.#send({ type: 'cancel' }).catch(() => tellLate(true));
    const hasObeyed = (await Promise.race([isLate, turn.promise])) !== true;
    clearTimeout(limit);
    if (hasObeyed) return;
    // The next prompt starts it again.
    this.#notice(this.#running, ENDED_BY_CANCEL);
    await this.#running?.child.stop();
    turn.resolve({ reason: 'cancelled' });
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    if (this.#turn !== undefined) this.#turn.isCancelled = true;
    this.#turn?.resolve({ reason: 'cancelled' });
    this.#running?.ready.resolve();
    await this.#running?.child.stop();
  }

  /** What is declared is there, and nothing else. */
  #declare(capabilities: BackendCapabilities): void {
    this.capabilities = capabilities;
    const { resume, fork, steer, approvals, models, modes } = capabilities;
    const methods: Pick<AgentBackend, 'resume' | 'fork' | 'steer' | 'answer' | 'setModel' | 'setMode'> = {
      ...(resume === true ? { resume: (session, id) => this.#resume(session, id) } : {}),
      ...(fork === true ? { fork: (session, id, before) => this.#fork(session, id, before) } : {}),
      ...(steer === true ? { steer: (prompt) => this.#steer(prompt) } : {}),
      ...(approvals === true ? { answer: (approvalId, reply) => this.#answer(approvalId, reply) } : {}),
      ...(models === true ? { setModel: (model) => this.#send({ type: 'set-model', model }) } : {}),
      ...(modes === true ? { setMode: (mode) => this.#send({ type: 'set-mode', mode }) } : {}),
    };
    for (const name of ['resume', 'fork', 'steer', 'answer', 'setModel', 'setMode'] as const) delete this[name];
    Object.assign(this, methods);
  }

  async #resume(session: BackendSession, agentSessionId: string): Promise<void> {
    this.#session = session;
    this.#agentSessionId = agentSessionId;
    this.#running = await this.#reopen(session);
  }

  async #fork(session: BackendSession, agentSessionId: string, beforeMessageId?: string): Promise<void> {
    this.#session = session;
    // The agent knows its messages by its own ids.
    const before = beforeMessageId === undefined ? {} : { beforeMessageId: unscopedId(beforeMessageId) };
    this.#running = await this.#open(session, { fork: agentSessionId, ...before });
  }

  async #steer(prompt: BackendPrompt): Promise<boolean> {
    if (this.#turn === undefined || this.#turn.isCancelled) return false;
    await this.#send({ type: 'steer', id: prompt.id, content: prompt.content });
    return true;
  }

  async #answer(approvalId: string, reply: ApprovalReply): Promise<void> {
    const agentId = this.#questions.answer(approvalId);
    if (agentId !== undefined) await this.#send({ type: 'answer', approvalId: agentId, reply });
  }

  /** The same conversation with a new process, as far as the agent can. */
  async #reopen(session: BackendSession): Promise<UapAgent> {
    const id = this.#agentSessionId;
    const running = await this.#open(session, id === undefined ? {} : { resume: id });
    if (id === undefined || this.capabilities.resume !== true)
      this.#notice(running, 'The agent was started anew and remembers nothing of before.');
    return running;
  }

  #open(session: BackendSession, opening: UapOpening): Promise<UapAgent> {
    return openUapAgent({
      setup: this.#setup,
      session,
      opening,
      readySeconds: this.#config.startSeconds ?? START_SECONDS,
      onStart: (agent) => {
        this.#running = agent;
        if (this.#isDisposed) void agent.child.stop();
      },
      onLine: (agent, line) => this.#take(agent, line),
      onGone: (agent, ending) => this.#gone(agent, ending),
    });
  }

  /** Takes a line; false when it was not understood. */
  #take(running: UapAgent, line: string): boolean {
    if (this.#isDisposed || running !== this.#running) return true;
    const said = readAgentLine(line);
    switch (said.type) {
      case 'ready':
        running.mayTellPast = false;
        this.#declare(said.capabilities ?? {});
        this.#emit({ type: 'agent-updated', capabilities: this.capabilities });
        running.ready.resolve();
        return true;
      case 'turn-finished':
        if (this.#turn === undefined) return this.#passOver('a turn was finished, but none ran');
        this.#turn.resolve(this.#turn.isCancelled ? { reason: 'cancelled' } : said.end);
        return true;
      case 'message': {
        if (running.mayTellPast && said.role !== 'agent') return true;
        const messageId = newId('msg');
        for (const block of said.content)
          this.#pass('', { type: 'block-stop', messageId, role: said.role, blockId: newId('blk'), block });
        for (const problem of said.problems) this.#passOver(problem, line);
        return said.content.length > 0 || said.problems.length === 0;
      }
      case 'unreadable':
        return this.#passOver(said.problem, line);
      case 'event':
        if (running.mayTellPast && isSaid(said.event)) return true;
        this.#pass(running.scope, said.event);
        return true;
    }
  }

  #pass(scope: string, told: BackendEvent): void {
    const outdated = this.#calls.askedOtherwise(told, this.#questions);
    const event = this.#calls.withQuestion(told, this.#session!.cwd);
    if (event.type === 'approval-withdrawn') return this.#emitAll(this.#questions.withdraw(event.approvalId));
    if (event.type === 'approval-asked') {
      if (this.capabilities.approvals !== true) {
        // It asks, so it can: without `answer` nobody could tell it.
        this.#declare({ ...this.capabilities, approvals: true });
        this.#emit({ type: 'agent-updated', capabilities: this.capabilities });
      }
      return this.#emitAll(this.#questions.ask(event.approval));
    }
    if (event.type === 'agent-updated') {
      this.#agentSessionId = event.agentSessionId ?? this.#agentSessionId;
      if (event.capabilities !== undefined) this.#declare(event.capabilities);
    }
    this.#emit(scope === '' ? event : scopedEvent(scope, event));
    for (const { question: _question, call: _call, ...approval } of outdated)
      this.#pass(scope, { type: 'approval-asked', approval });
  }

  #gone(running: UapAgent, ending: ChildEnding): void {
    const message = `"${this.#setup.name}" ${ending.text}`;
    if (running !== this.#running) return;
    this.#countPassedOver();
    const fix = `Run it by hand on that machine: ${this.#setup.command!.join(' ')}`;
    this.#turn?.resolve(
      this.#turn.isCancelled
        ? { reason: 'cancelled' }
        : { reason: 'failed', error: { code: 'agent-failed', message, fix } },
    );
  }

  async #send(message: object): Promise<void> {
    const child = this.#running?.child;
    if (child === undefined) throw new DragomanError('conflict', `"${this.#setup.name}" is not started`);
    await child.write(JSON.stringify(message));
  }

  #passOver(problem: string, line?: string): false {
    this.#passedOver += 1;
    const what = line === undefined ? problem : `${problem}: ${shortened(this.#hide(line))}`;
    if (this.#passedOver <= MOST_NAMED_LINES) this.#notice(this.#running, `${UNREADABLE_LINE}${what}`);
    return false;
  }

  #countPassedOver(): void {
    const more = this.#passedOver - MOST_NAMED_LINES;
    this.#passedOver = 0;
    if (more > 0) this.#notice(this.#running, `And ${more} more ${more === 1 ? 'line' : 'lines'} were passed over.`);
  }

  #hide(text: string): string {
    return hideSecrets(text, Object.entries(this.#setup.env));
  }

  #notice(running: UapAgent | undefined, text: string): void {
    const place = { messageId: newId('msg'), role: 'agent', blockId: newId('blk') } as const;
    if (running !== undefined && running === this.#running)
      this.#emit({ type: 'block-stop', ...place, block: { type: 'notice', text, level: 'warning' } });
  }

  #emitAll(events: readonly BackendEvent[]): void {
    for (const event of events) this.#emit(event);
  }

  #emit(event: BackendEvent): void {
    if (!this.#isDisposed) this.#session?.emit(event);
  }
}

/** Whether an event tells what was said; notices of the agent about itself are none. */
function isSaid(event: BackendEvent): boolean {
  return 'blockId' in event && !('role' in event && event.role === 'agent');
}

function shortened(line: string): string {
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
