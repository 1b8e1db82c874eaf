import {
  type AgentEvent,
  type AssistantInfo,
  foldEvent,
  type LoggedEvent,
  NO_TOKENS,
  type SessionState,
  type ToolState,
} from '@dragoman/protocol';
import type { EventView, ViewClock } from './terminal-view.ts';

const STARTED_AT = 1_700_000_000_000;
const MODEL = { providerID: 'claude', modelID: 'claude-sonnet-5' };

/** A clock that stands until it is moved, and whose ticks come when they are called for. */
export class StandingClock implements ViewClock {
  #now = STARTED_AT;
  readonly #ticks = new Set<() => void>();

  now = (): number => this.#now;

  every(_ms: number, tick: () => void): () => void {
    this.#ticks.add(tick);
    return () => this.#ticks.delete(tick);
  }

  get isTicking(): boolean {
    return this.#ticks.size > 0;
  }

  pass(ms: number): void {
    this.#now += ms;
    for (const tick of this.#ticks) tick();
  }
}

/** Writes a session event by event, as an agent would, and shows each to a view together with the session after it. */
export class RecordedSession {
  readonly id: string;
  readonly clock: StandingClock;
  readonly #view: EventView;
  #state: SessionState | undefined;
  #messageID = '';
  #parts = 0;

  constructor(view: EventView, clock: StandingClock, options: { id?: string; parentID?: string; title?: string } = {}) {
    const { id = 'ses_1', parentID, title = 'Work' } = options;
    this.id = id;
    this.clock = clock;
    this.#view = view;
    this.add({
      type: 'session-created',
      session: {
        id,
        title,
        cwd: '/project',
        root: '/project',
        agent: 'build',
        model: MODEL,
        time: { created: clock.now() },
        ...(parentID === undefined ? {} : { parentID }),
      },
    });
  }

  add(event: AgentEvent): void {
    const logged: LoggedEvent = { seq: (this.#state?.seq ?? 0) + 1, at: this.clock.now(), event };
    this.#state = foldEvent(this.#state, logged);
    this.#view.event(logged, this.#state);
  }

  startTurn(): void {
    this.add({ type: 'turn-started', turnID: 'trn_1', messageID: 'msg_0' });
  }

  startStep(changes: Partial<AssistantInfo> = {}): void {
    this.#messageID = `msg_${this.#newID()}`;
    this.add({
      type: 'start-step',
      partID: this.#newID(),
      info: {
        id: this.#messageID,
        sessionID: this.id,
        role: 'assistant',
        time: { created: this.clock.now() },
        parentID: 'msg_0',
        agent: 'build',
        model: MODEL,
        path: { cwd: '/project', root: '/project' },
        cost: 0,
        costSource: 'computed',
        tokens: NO_TOKENS,
        ...changes,
      },
    });
  }

  think(ms: number, text = 'Let me see.'): void {
    const part = this.part();
    this.add({ type: 'reasoning-start', ...part });
    this.add({ type: 'reasoning-delta', ...part, delta: text });
    this.clock.pass(ms);
    this.add({ type: 'reasoning-end', ...part });
  }

  say(...deltas: string[]): void {
    const part = this.part();
    this.add({ type: 'text-start', ...part });
    for (const delta of deltas) this.add({ type: 'text-delta', ...part, delta });
    this.add({ type: 'text-end', ...part });
  }

  /** From the first argument to the moment it runs. */
  startTool(tool: string, input: Record<string, unknown>): RecordedCall {
    const part = this.part();
    this.add({ type: 'tool-input-start', ...part, callID: part.partID, tool });
    this.add({ type: 'tool-input-delta', ...part, delta: JSON.stringify(input) });
    this.add({ type: 'tool-input-end', ...part });
    this.add({ type: 'tool-call', ...part, input });
    const start = this.clock.now();
    this.add({ type: 'tool-state', ...part, state: { status: 'running', input, time: { start } } });
    const end = (state: Partial<ToolState>) =>
      this.add({
        type: 'tool-result',
        ...part,
        state: { input, time: { start, end: this.clock.now() }, ...state } as ToolState,
      });
    return {
      callID: part.partID,
      update: (metadata, title) =>
        this.add({ type: 'tool-metadata', ...part, metadata, ...(title === undefined ? {} : { title }) }),
      complete: (title, metadata = {}, output = '') => end({ status: 'completed', title, output, metadata }),
      fail: (error) => end({ status: 'error', error }),
    };
  }

  finishStep(reason = 'stop'): void {
    this.add({
      type: 'finish-step',
      partID: this.#newID(),
      messageID: this.#messageID,
      reason,
      cost: 0.0042,
      costSource: 'computed',
      tokens: { input: 1200, output: 80, reasoning: 20, cache: { read: 4000, write: 0 } },
    });
  }

  finishTurn(error?: Extract<AgentEvent, { type: 'turn-finished' }>['error']): void {
    this.add({
      type: 'turn-finished',
      turnID: 'trn_1',
      counters: { modelCalls: 1, toolCalls: 0 },
      ...(error === undefined ? {} : { error }),
    });
  }

  part(): { messageID: string; partID: string } {
    return { messageID: this.#messageID, partID: this.#newID() };
  }

  #newID(): string {
    this.#parts++;
    return `${this.id}-${this.#parts}`;
  }
}

export interface RecordedCall {
  callID: string;
  update(metadata: Record<string, unknown>, title?: string): void;
  complete(title: string, metadata?: Record<string, unknown>, output?: string): void;
  fail(error: string): void;
}
