import type { AgentEvent, LoggedEvent } from '@dragoman/protocol';

/** Where a session's events are kept. */
interface EventSink {
  append(events: readonly LoggedEvent[]): Promise<void>;
}

/** Where a log goes on, and who is told. */
export interface SessionLogOptions {
  sink: EventSink;
  /** The number of the last event that is stored. */
  seq: number;
  /** Told when events could not be stored; nothing later is stored either. */
  onFailure?: (error: unknown) => void;
  /** Told what has been stored, in order. */
  onStored?: (events: readonly LoggedEvent[]) => void;
}

/** Text that arrives is stored at the latest so much later … */
const BATCH_MS = 100;
/** … or when there is so much of it. */
const BATCH_CHARS = 4096;

/**
 * Numbers events and stores them in batches.
 *
 * Deltas of one block are joined while they wait; anything else is stored at once. The order of the log is the order of
 * `append`; one batch is on its way at a time.
 */
export class SessionLog {
  readonly #options: SessionLogOptions;
  #seq: number;
  #waiting: LoggedEvent[] = [];
  #waitingChars = 0;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #writing: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(options: SessionLogOptions) {
    this.#options = options;
    this.#seq = options.seq;
  }

  /** Gives the event its number; it is stored soon. */
  append(event: AgentEvent, at: number): LoggedEvent {
    const logged: LoggedEvent = { seq: ++this.#seq, at, event };
    const last = this.#waiting.at(-1);
    const joined = last === undefined ? undefined : join(last, logged);
    if (joined === undefined) this.#waiting.push(logged);
    else this.#waiting[this.#waiting.length - 1] = joined;
    if (isDelta(event)) {
      this.#waitingChars += event.delta.length;
      if (this.#waitingChars < BATCH_CHARS) this.#timer ??= setTimeout(this.#write, BATCH_MS);
      else this.#writeSoon();
    } else {
      this.#writeSoon();
    }
    return logged;
  }

  /** Resolves when everything appended so far is stored. */
  async stored(): Promise<void> {
    this.#write();
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure as Error;
  }

  /** What happens in one go is stored in one go. */
  #writeSoon(): void {
    this.#immediate ??= setImmediate(this.#write);
  }

  readonly #write = (): void => {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#timer = this.#immediate = undefined;
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    this.#waitingChars = 0;
    this.#writing = this.#writing.then(() => this.#store(batch));
  };

  async #store(batch: readonly LoggedEvent[]): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await this.#options.sink.append(batch);
    } catch (error) {
      this.#failure = error;
      this.#options.onFailure?.(error);
      return;
    }
    this.#options.onStored?.(batch);
  }
}

type Delta = Extract<AgentEvent, { delta: string }>;

function isDelta(event: AgentEvent): event is Delta {
  return 'delta' in event;
}

/** Two deltas of one block as one, under the number of the later. */
function join(one: LoggedEvent, other: LoggedEvent): LoggedEvent | undefined {
  const [first, second] = [one.event, other.event];
  if (!isDelta(first) || !isDelta(second) || first.type !== second.type || first.partID !== second.partID)
    return undefined;
  return { ...other, event: { ...second, delta: first.delta + second.delta } };
}
