import { DragomanError, type Fault, type TurnEnd } from '@dragoman/protocol';
import type { RunnerLog } from '../runner-log.ts';
import { toFault } from './to-fault.ts';

/** How long a program has to end a turn that was cancelled before it is ended itself. */
const CANCEL_LIMIT_MS = 10_000;

/** A turn that a program works on. */
export interface ProgramTurn {
  isCancelled: boolean;
  /** Why we ended the program, where we did. */
  stoppedBy: DragomanError | undefined;
}

/** Whose turns they are. */
export interface ProgramTurnsOptions {
  title: string;
  log: RunnerLog;
  /** Fires when the backend is disposed of. */
  disposing: AbortSignal;
  cancelLimitMs?: number | undefined;
}

/** The turns of a program that we drive: one at a time, called off in bounded time, and each with an end that can be told. */
export class ProgramTurns<Turn extends ProgramTurn> {
  readonly #options: ProgramTurnsOptions;
  #current: Turn | undefined;
  #cancelTimer: NodeJS.Timeout | undefined;

  constructor(options: ProgramTurnsOptions) {
    this.#options = options;
  }

  get current(): Turn | undefined {
    return this.#current;
  }

  /** Runs a turn. A second one at the same time is refused. */
  async run(turn: Turn, work: (turn: Turn) => Promise<TurnEnd>): Promise<TurnEnd> {
    if (this.#current !== undefined) throw new DragomanError('conflict', `${this.#options.title} is at a turn already`);
    this.#current = turn;
    try {
      return await work(turn);
    } finally {
      this.#current = undefined;
      clearTimeout(this.#cancelTimer);
    }
  }

  /** Notes that the running turn is called off, and gives it back; nothing where none runs or that was noted before. */
  callOff(): Turn | undefined {
    const turn = this.#current;
    if (turn === undefined || turn.isCancelled) return undefined;
    turn.isCancelled = true;
    return turn;
  }

  /** Ends a program that does not heed that its turn was cancelled. */
  stopUnlessEnded(program: { stop(): Promise<void> }): void {
    const { title, log, cancelLimitMs = CANCEL_LIMIT_MS } = this.#options;
    this.#cancelTimer = setTimeout(() => {
      log.warn({ agent: title }, 'the agent did not end a turn that was cancelled, so it is ended');
      void program.stop();
    }, cancelLimitMs);
  }

  /** The end of a turn that broke. */
  broken(turn: Turn, error: unknown, describe: (error: unknown) => Fault = toFault): TurnEnd {
    if (turn.isCancelled) return { reason: 'cancelled' };
    if (this.#options.disposing.aborted) return { reason: 'interrupted' };
    return { reason: 'failed', error: describe(turn.stoppedBy ?? error) };
  }
}
