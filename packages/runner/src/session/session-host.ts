import {
  type AgentBackend,
  type BackendPrompt,
  DragomanError,
  type Fault,
  newId,
  type RunnerCommand,
  type RunnerEvent,
  type SessionSpec,
  type TurnEnd,
  type UnbegunTurn,
} from '@dragoman/protocol';
import { toFault } from '../backend/to-fault.ts';
import type { RunnerLog } from '../runner-log.ts';
import { withinLimit } from '../time-limit.ts';
import { type Beginning, HOST_LIMITS, type HostLimits } from './hosted-agent.ts';
import { revertAgent, revertFailed } from './revert-agent.ts';
import { SessionAgent, type SessionAgentOptions } from './session-agent.ts';
import { tracePrompt } from './trace-prompt.ts';

/** What a host needs of the runner. */
export interface SessionHostOptions extends Pick<SessionAgentOptions, 'create' | 'prepare'> {
  /** Takes away what `prepare` made, when the session is gone for good. */
  cleanUp: (spec: SessionSpec) => Promise<void>;
  /** Keeps what happened, all of it or nothing; false when it cannot be kept. */
  record: (events: readonly RunnerEvent[], handled?: number) => boolean;
  limits?: HostLimits | undefined;
  log: RunnerLog;
}

interface Turn {
  id: string;
  promptId: string;
  /** The prompt was told to be taken before the turn began. */
  isTaken: boolean;
  isCancelled: boolean;
  ended: Promise<TurnEnd>;
  /** Ends the wait for the backend. */
  end: (end: TurnEnd) => void;
}

type RunnerCommandOf<Type extends RunnerCommand['type']> = Extract<RunnerCommand, { type: Type }>;

type HostPrompt = BackendPrompt & Pick<RunnerCommandOf<'prompt'>['prompt'], 'history'>;

/** A prompt that waits here. */
interface Waiting {
  prompt: HostPrompt;
  /** It was taken into a turn but came too late for it: it is not told to be taken again. */
  isTaken?: boolean;
  /** Its turn was told to have started. */
  turnId?: string;
}

/**
 * One session on this machine: carries out what the hub commands, one turn at a time, and tells what happens.
 *
 * A command counts as carried out with the first thing that is told of it, in one piece: a prompt whose turn began is
 * never given to an agent again, whatever is killed in between. Nothing an agent does wrong leaves this class: it
 * becomes the end of the turn, or the state of the agent.
 */
export class SessionHost {
  /** When something last happened in it. */
  lastUsedAt = Date.now();
  readonly #options: SessionHostOptions;
  readonly #limits: HostLimits;
  readonly #agent: SessionAgent;
  #turn: Turn | undefined;
  /** The agent takes a prompt back; what comes meanwhile waits. */
  #isReverting = false;
  #waiting: Waiting[] = [];
  /** The latest turns, the running one too. */
  #turnIds: string[] = [];
  /** What was told to have begun, and not to be over. */
  #openTurnId: string | undefined;
  #isAgentTold = false;

  constructor(options: SessionHostOptions) {
    this.#options = options;
    this.#limits = options.limits ?? HOST_LIMITS;
    const record = (events: readonly RunnerEvent[]) => this.#record(events);
    const { create, prepare, log } = options;
    this.#agent = new SessionAgent({ create, prepare, record, limits: this.#limits, log });
  }

  /** Whether a turn runs or ran here: what became of it was told, or will be. */
  knowsTurn(turnId: string): boolean {
    return this.#turnIds.includes(turnId);
  }

  /** Whether an agent is there, or is being started. */
  get isLive(): boolean {
    return this.#agent.isLive;
  }

  /** Whether the agent can be ended now and go on later as if nothing had been. */
  get canRest(): boolean {
    return !this.isBusy && this.#agent.canResume;
  }

  /** Whether the agent is at work, or has work waiting. */
  get isBusy(): boolean {
    return this.#hasTurn || this.#waiting.length > 0;
  }

  /** Begins to carry out a command; what comes of it is told as it happens. */
  carryOut(number: number, spec: SessionSpec, command: RunnerCommand): void {
    switch (command.type) {
      case 'open':
        return this.#open(number, spec);
      case 'fork':
        return this.#open(number, spec, command);
      case 'prompt':
        return this.#takePrompt(number, spec, command.prompt);
      case 'steer':
        return this.#steer(number, spec, command.prompt);
      case 'revert':
        return this.#revert(number, spec, command);
      case 'configure':
        return this.#configure(number, command);
      default:
        if (!this.#record([], number)) return;
    }
    if (command.type === 'cancel') void this.#cancel(spec, command);
    if (command.type === 'close') void this.#close(spec, command.isRemoved);
    if (command.type === 'answer')
      void this.#tell('the answer', (backend) => backend.answer?.(command.approvalId, command.reply));
  }

  /** Begins a turn that was told to have started, by a process that ended before its agent was ready. */
  beginTurn(turnId: string, { session, prompt }: UnbegunTurn): void {
    if (!this.#hasTurn) this.#startTurn(session, { prompt, turnId });
  }

  /** Ends an agent that nobody uses; it goes on with the next prompt. */
  async rest(): Promise<void> {
    if (this.canRest) await this.#endAgent();
  }

  /** Ends the agent because this process ends. What it was doing is told as interrupted; what it never began is begun next time. */
  async shutDown(): Promise<void> {
    if (this.#isUnbegun) return this.abandon();
    this.#waiting = [];
    this.#finishTurn(undefined, this.#turn, { reason: 'interrupted' });
    await this.#endAgent();
  }

  /** What is to be told when nothing can be kept any more, whatever is being done at that moment. */
  lastWords(error: Fault): RunnerEvent[] {
    const turnId = this.#openTurnId;
    return [
      ...(turnId === undefined ? [] : [{ type: 'turn-finished', turnId, reason: 'interrupted', error } as const]),
      ...(this.#isAgentTold ? [{ type: 'agent-state', state: 'stopped', error } as const] : []),
    ];
  }

  /** Ends the agent without a word. */
  async abandon(): Promise<void> {
    this.#waiting = [];
    this.#turn?.end({ reason: 'interrupted' });
    this.#turn = undefined;
    await this.#agent.end();
  }

  /** Whether a turn waits for its agent to be ready; the hub knows as much, and what it is to begin with. */
  get #isUnbegun(): boolean {
    const turn = this.#turn;
    return turn !== undefined && !turn.isTaken && !turn.isCancelled && this.#agent.backend === undefined;
  }

  get #hasTurn(): boolean {
    return this.#turn !== undefined || this.#isReverting;
  }

  #record(events: readonly RunnerEvent[], handled?: number): boolean {
    this.lastUsedAt = Date.now();
    if (!this.#options.record(events, handled)) return false;
    for (const event of events) {
      if (event.type === 'turn-started') this.#openTurnId = event.turnId;
      if (event.type === 'turn-finished') this.#openTurnId = undefined;
      if (event.type === 'agent-state') this.#isAgentTold = event.state === 'starting' || event.state === 'ready';
    }
    return true;
  }

  #open(number: number, spec: SessionSpec, fork?: Beginning): void {
    if (this.#agent.isLive) return void this.#record([], number);
    if (!this.#record([{ type: 'agent-state', state: 'starting' }], number)) return;
    this.#agent.open(spec, fork).catch(() => {}); // It was told in the session.
  }

  #takePrompt(number: number, spec: SessionSpec, prompt: HostPrompt): void {
    if (!this.#hasTurn) return this.#startTurn(spec, { prompt }, number);
    if (this.#record([], number)) this.#waiting.push({ prompt });
  }

  #startTurn(spec: SessionSpec, { prompt, isTaken = false, turnId }: Waiting, handled?: number): void {
    const { promise: ended, resolve: end } = Promise.withResolvers<TurnEnd>();
    const turn: Turn = { id: turnId ?? newId('trn'), promptId: prompt.id, isTaken, isCancelled: false, ended, end };
    const promptId = isTaken ? {} : { promptId: prompt.id };
    const started = turnId === undefined ? [{ type: 'turn-started', turnId: turn.id, ...promptId } as const] : [];
    const starting = this.#agent.isLive ? [] : [{ type: 'agent-state', state: 'starting' } as const];
    if (!this.#record([...started, ...starting], handled)) return;
    this.#turn = turn;
    this.#openTurnId = turn.id;
    this.#turnIds = [...this.#turnIds.slice(-9), turn.id];
    void this.#runTurn(spec, turn, prompt);
  }

  async #runTurn(spec: SessionSpec, turn: Turn, prompt: HostPrompt): Promise<void> {
    const run = async (): Promise<TurnEnd> => {
      const backend = await this.#agent.open(spec, undefined, { canTell: prompt.history !== undefined });
      if (turn.isCancelled || this.#turn !== turn) return { reason: 'cancelled' };
      this.#warnOfImages(backend, prompt);
      const told = this.#withHistory(prompt);
      try {
        return await tracePrompt(spec, told, () => backend.prompt(told));
      } catch (error) {
        if (turn.isCancelled) return { reason: 'cancelled' };
        if (this.#turn === turn && this.#agent.backend === backend && isBeyondHelp(error)) await this.#agent.end();
        throw error;
      }
    };
    const running = run().catch((error: unknown): TurnEnd =>
      turn.isCancelled ? { reason: 'cancelled' } : { reason: 'failed', error: toFault(error) },
    );
    this.#finishTurn(spec, turn, await Promise.race([running, turn.ended]));
  }

  /** The prompt, after what was said on another machine where the agent does not know it. */
  #withHistory({ history, ...prompt }: HostPrompt): BackendPrompt {
    if (history === undefined || this.#agent.knowsPast) return prompt;
    this.#agent.notePast();
    this.#agent.notice('The agent has no log of this conversation here, so it was given the text of it.');
    return { ...prompt, content: [{ type: 'text', text: history }, ...prompt.content] };
  }

  /** An agent that is sent what it cannot see answers as if it were not there, and nobody knows why. */
  #warnOfImages({ capabilities }: AgentBackend, { content }: BackendPrompt): void {
    if (capabilities.images === true || !content.some(({ type }) => type === 'image')) return;
    this.#agent.notice('This agent may not support images, so it might not see yours.');
  }

  /** Tells the end of a turn, and begins the next one where a prompt waits. */
  #finishTurn(spec: SessionSpec | undefined, turn: Turn | undefined, end: TurnEnd): void {
    if (turn === undefined || this.#turn !== turn) return;
    this.#turn = undefined;
    turn.end(end);
    this.#agent.endTurn();
    const { reason = 'done', error } = end as Partial<TurnEnd>;
    const why = error === undefined ? {} : { error };
    const finished = { type: 'turn-finished', turnId: turn.id, reason, ...why } as const;
    // Without a failure of its own that was told, an agent that is no more there was ended, for the reason of the turn.
    const stopped =
      this.#agent.isLive || this.#agent.hasFailed ? [] : [{ type: 'agent-state', state: 'stopped', ...why } as const];
    if (!this.#record([finished, ...stopped])) return;
    if (spec !== undefined) this.#startNext(spec);
  }

  #startNext(spec: SessionSpec): void {
    const next = this.#waiting.shift();
    if (next !== undefined) this.#startTurn(spec, next);
  }

  #revert(number: number, spec: SessionSpec, command: RunnerCommandOf<'revert'>): void {
    if (this.#hasTurn) {
      const error = new DragomanError('conflict', 'The agent is running. Stop it before reverting.');
      return void this.#record([revertFailed(command, error)], number);
    }
    if (!this.#agent.isLive && !this.#record([{ type: 'agent-state', state: 'starting' }])) return;
    this.#isReverting = true;
    const reverted = revertAgent(command, {
      spec,
      open: () => this.#agent.open(spec),
      limitMs: this.#limits.answerMs,
      record: (event) => this.#record([event], number),
      notice: (text) => this.#agent.notice(text),
    });
    void reverted.finally(() => {
      this.#isReverting = false;
      this.#startNext(spec);
    });
  }

  #steer(number: number, spec: SessionSpec, prompt: BackendPrompt): void {
    const turn = this.#turn;
    const { backend } = this.#agent;
    if (turn === undefined || turn.isCancelled || backend?.steer === undefined)
      return this.#takePrompt(number, spec, prompt);
    if (!this.#record([{ type: 'prompt-taken', promptId: prompt.id, turnId: turn.id }], number)) return;
    this.#warnOfImages(backend, prompt);
    const steered = withinLimit('the agent', this.#limits.answerMs, async () => backend.steer?.(prompt));
    const isIn = steered.catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'a prompt could not be added to the running turn');
      return false;
    });
    void isIn.then((isTaken) => {
      if (isTaken === true) return;
      // It came too late for that turn, and gets one of its own.
      const late = { prompt, isTaken: true };
      if (!this.#hasTurn) this.#startTurn(spec, late);
      else this.#waiting.push(late);
    });
  }

  async #cancel(
    spec: SessionSpec,
    which: { turnId?: string | undefined; promptId?: string | undefined },
  ): Promise<void> {
    const turn = this.#turn;
    if (turn === undefined || turn.isCancelled) return;
    if (turn.id !== which.turnId && turn.promptId !== which.promptId) return;
    turn.isCancelled = true;
    const { backend } = this.#agent;
    // An agent that is still being started has nothing to call off yet, and nobody waits for it any more.
    if (backend === undefined) {
      await this.#agent.end();
      return turn.end({ reason: 'cancelled' });
    }
    try {
      await withinLimit('the agent', this.#limits.cancelMs, async () => {
        await backend.cancel();
        await turn.ended;
      });
    } catch (error) {
      if (this.#turn !== turn) return;
      this.#options.log.warn({ err: error }, 'an agent did not stop when it was asked to, and is ended');
      await this.#agent.end();
      this.#finishTurn(spec, turn, { reason: 'cancelled' });
    }
  }

  #configure(number: number, { model, mode }: { model?: string | undefined; mode?: string | undefined }): void {
    const news = { ...(model === undefined ? {} : { model }), ...(mode === undefined ? {} : { mode }) };
    // An agent that is opened later is opened with what was chosen.
    if (this.#agent.backend === undefined) return void this.#record([{ type: 'agent-updated', ...news }], number);
    if (!this.#record([], number)) return;
    const change = async (what: 'model' | 'mode', value: string | undefined) => {
      if (value === undefined) return;
      const isChanged = await this.#tell(`a change of its ${what}`, (backend) => {
        const set = what === 'model' ? backend.setModel : backend.setMode;
        if (set === undefined) throw new DragomanError('bad-request', `the ${what} of this agent cannot be changed`);
        return set.call(backend, value);
      });
      if (isChanged) this.#record([{ type: 'agent-updated', [what]: value }]);
    };
    void change('model', model).then(() => change('mode', mode));
  }

  #tell(what: string, run: (backend: AgentBackend) => Promise<void> | undefined): Promise<boolean> {
    return this.#agent.tell(what, this.#limits.answerMs, run);
  }

  async #close(spec: SessionSpec, isRemoved: boolean): Promise<void> {
    this.#waiting = [];
    this.#finishTurn(undefined, this.#turn, { reason: 'cancelled' });
    if (!isRemoved) this.#agent.dropPast();
    await this.#endAgent();
    if (!isRemoved) return;
    for (const end of await Promise.allSettled([this.#agent.forget(spec), this.#options.cleanUp(spec)]))
      if (end.status === 'rejected')
        this.#options.log.warn({ err: end.reason as unknown }, 'what the session left behind could not be removed');
  }

  async #endAgent(): Promise<void> {
    if (!this.#agent.isLive) return;
    await this.#agent.end();
    if (!this.#agent.isLive) this.#record([{ type: 'agent-state', state: 'stopped' }]);
  }
}

/** Whether the agent is to be ended after this: it may be gone, or in a state that nobody knows. */
function isBeyondHelp(error: unknown): boolean {
  if (!(error instanceof DragomanError)) return true;
  return ['unavailable', 'timed-out', 'internal', 'unauthenticated'].includes(error.code);
}
