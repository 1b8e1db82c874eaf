import { DragomanError, type Fault, type OutboxRecord, type RunnerEvent } from '@dragoman/protocol';
import { toFault } from '../backend/to-fault.ts';
import type { RunnerLog } from '../runner-log.ts';
import { boundInput } from './bound-input.ts';
import type { Outbox } from './outbox.ts';

/** What keeping things needs. */
export interface RecorderOptions {
  outbox: Outbox;
  log: RunnerLog;
  /** How long after a full disk it is tried again. */
  retryMs: number;
  /** Nothing can be kept from now on. What it gives back, by session, is kept all the same, as far as the room set aside for it goes. */
  onTrouble: (trouble: Fault) => ReadonlyMap<string, readonly RunnerEvent[]>;
  /** There is room again. */
  onRoom: () => void;
}

/**
 * Keeps what happens in sessions, and knows when nothing can be kept.
 *
 * What is not kept may not be done: on a full disk every agent is ended, and none is started until there is room again.
 */
export class Recorder {
  readonly #options: RecorderOptions;
  #trouble: Fault | undefined;
  #pastTrouble: Fault | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Why nothing can be kept at the moment. */
  get trouble(): Fault | undefined {
    return this.#trouble;
  }

  /** Why nothing could be kept before, told once. */
  takePastTrouble(): Fault | undefined {
    const trouble = this.#pastTrouble;
    this.#pastTrouble = undefined;
    return trouble;
  }

  /** Keeps events with the command they came of, all or nothing; false when they cannot be kept. */
  record(sessionId: string, events: readonly RunnerEvent[], handled?: number): boolean {
    if (this.#trouble !== undefined) return false;
    const records = toRecords(sessionId, events);
    if (handled !== undefined) records.push({ handled });
    try {
      this.#options.outbox.append(records);
      return true;
    } catch (error) {
      if (error instanceof DragomanError) this.#stop(error);
      // An agent emitted what cannot be written down; that alone is left out.
      else this.#options.log.warn({ err: error, sessionId }, 'something an agent said could not be kept');
      return false;
    }
  }

  /** Waits for room no more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #stop(error: DragomanError): void {
    if (this.#isClosed) return;
    const { outbox, log, retryMs, onTrouble, onRoom } = this.#options;
    log.error({ err: error }, 'the runner has stopped working');
    const trouble = toFault(error);
    this.#trouble = trouble;
    this.#sayLastWords(onTrouble(trouble));
    const tryAgain = () => {
      if (!outbox.hasRoom()) {
        this.#timer = setTimeout(tryAgain, retryMs).unref();
        return;
      }
      log.info({}, 'the runner works again');
      this.#pastTrouble = this.#trouble;
      this.#trouble = undefined;
      onRoom();
    };
    this.#timer = setTimeout(tryAgain, retryMs).unref();
  }

  /** Tells what is over now; what cannot be kept even so is told when there is room again. */
  #sayLastWords(lastWords: ReadonlyMap<string, readonly RunnerEvent[]>): void {
    const { outbox, log } = this.#options;
    try {
      outbox.useReserve();
      for (const [sessionId, events] of lastWords) outbox.append(toRecords(sessionId, events));
    } catch (error) {
      log.warn({ err: error }, 'it could not be told everywhere that the agents were ended');
    }
  }
}

function toRecords(sessionId: string, events: readonly RunnerEvent[]): OutboxRecord[] {
  const at = Date.now();
  return events.map((event) => ({ sessionId, at, event: bounded(event) }));
}

function bounded(event: RunnerEvent): RunnerEvent {
  if (!('block' in event) || event.block.type !== 'tool_use') return event;
  const input = boundInput(event.block.input);
  return input === event.block.input ? event : { ...event, block: { ...event.block, input } };
}
