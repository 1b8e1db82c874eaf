import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  DragomanError,
  type HubLink,
  type OutboxBatch,
  type OutboxRecord,
  type RunnerHello,
  type RunnerMessage,
} from '@dragoman/protocol';
import type { RunnerLog } from '../runner-log.ts';
import { withinLimit } from '../time-limit.ts';
import { Bell } from './bell.ts';
import { joinDeltas } from './join-deltas.ts';
import type { Outbox } from './outbox.ts';

/** What the loop needs, and who is told. */
export interface SendOutboxOptions {
  outbox: Outbox;
  link: HubLink;
  /** How this runner introduces itself at that moment. */
  hello: () => Promise<RunnerHello>;
  onMessage: (message: RunnerMessage) => void;
  /** The hub was set back to an earlier state, or is another one: its commands count anew, and it lost what it had of some sessions. */
  onRenewed?: (sessionIds: readonly string[]) => void;
  onConnection?: (isConnected: boolean) => void;
  signal: AbortSignal;
  log: RunnerLog;
  /** Between two attempts: the first wait, doubled up to the last. */
  retry?: { firstMs: number; maxMs: number } | undefined;
  /** How long a hub that knew this runner is asked again after it refuses it: agents are at work here. */
  patienceMs?: number | undefined;
  limits?: { helloMs: number; sendMs: number };
  /** How long more of a text may wait for what follows it. */
  gatherMs?: number | undefined;
}

const MOST_RECORDS = 1_000;
const MOST_BYTES = 1024 * 1024;
const RETRY = { firstMs: 100, maxMs: 10_000 };
const PATIENCE_MS = 60_000;
const LIMITS = { helloMs: 15_000, sendMs: 30_000 };
/** No screen shows a text more often than that. */
const GATHER_MS = 16;

/**
 * Brings the outbox to the hub for as long as the runner lives: introduce, hand over everything that waits, then listen
 * for commands while handing over what comes. Whatever breaks, it begins again with the introduction, which tells what
 * the hub has.
 *
 * Everything is handed over before commands are asked for, so that the hub knows what was carried out and sends nothing
 * twice. Resolves when the signal fires; rejects when the hub does not want this runner, and still does not after a while.
 */
export async function sendOutbox(options: SendOutboxOptions): Promise<void> {
  const retry = options.retry ?? RETRY;
  const sender = new BatchSender(options);
  let failures = 0;
  let wasConnected = false;
  let refusedAt: number | undefined;
  while (!options.signal.aborted) {
    try {
      await connect(options, sender, () => {
        failures = 0;
        refusedAt = undefined;
        wasConnected = true;
      });
    } catch (error) {
      if (options.signal.aborted) return;
      if (error instanceof HubRefusal) {
        refusedAt ??= performance.now();
        const isOver = !wasConnected || performance.now() - refusedAt >= (options.patienceMs ?? PATIENCE_MS);
        if (isOver) throw error.toError();
      } else refusedAt = undefined;
      const waitMs = Math.min(retry.maxMs, retry.firstMs * 2 ** Math.min(failures, 20)) * (0.5 + Math.random() / 2);
      const told = { err: error, waitMs: Math.round(waitMs) };
      const what = isNotAccepted(error)
        ? 'the hub does not accept what this runner sends'
        : wasConnected
          ? 'the connection to the hub is lost'
          : 'the hub cannot be reached';
      if (failures++ === 0) options.log.warn(told, `${what}; trying again`);
      else options.log.debug(told, 'the hub is not reached yet');
      await pause(Math.max(waitMs, retryAfter(error)), options.signal);
    }
  }
}

async function connect(options: SendOutboxOptions, sender: BatchSender, onWelcome: () => void): Promise<void> {
  const { outbox, link, log } = options;
  const connection = new AbortController();
  const end = () => connection.abort(options.signal.reason);
  options.signal.addEventListener('abort', end, { once: true });
  try {
    await introduce(options, sender, connection.signal);
    await sender.flush(connection.signal);
    connection.signal.throwIfAborted();
    onWelcome();
    log.info({ runnerId: outbox.runnerId }, 'connected to the hub');
    options.onConnection?.(true);
    const listening = link.listen(outbox.runnerId, options.onMessage, connection.signal);
    const sending = sender.follow(connection.signal);
    try {
      await Promise.race([listening, sending]);
      throw new DragomanError('unavailable', 'the hub ended the connection', { isRetryable: true });
    } finally {
      connection.abort();
      options.onConnection?.(false);
      await Promise.allSettled([listening, sending]);
    }
  } finally {
    options.signal.removeEventListener('abort', end);
    connection.abort();
  }
}

async function introduce(options: SendOutboxOptions, sender: BatchSender, signal: AbortSignal): Promise<void> {
  const { outbox, link } = options;
  const limitMs = (options.limits ?? LIMITS).helloMs;
  for (;;) {
    const hello = await options.hello();
    let acked: number;
    try {
      ({ acked } = await withinLimit('the greeting of the hub', limitMs, (limit) => link.hello(hello, limit), signal));
    } catch (error) {
      const code = error instanceof DragomanError ? error.code : undefined;
      if (code === 'unauthenticated' || code === 'forbidden') throw new HubRefusal(error as DragomanError);
      throw error;
    }
    const beyond = outbox.sessionsBeyond(acked);
    if (!outbox.agree(acked)) return sender.resume(acked);
    sender.forget();
    options.onRenewed?.(beyond);
  }
}

/** Sends batches, one at a time. A batch whose answer was lost is sent again as it was: the hub may have it. */
class BatchSender {
  readonly #options: SendOutboxOptions;
  /** Up to here records are from before this process, and may have travelled in other batches. */
  #oldUpTo: number;
  #inFlight: OutboxBatch | undefined;
  #replaced: OutboxBatch | undefined;
  #handled: number | undefined;
  #mostRecords = MOST_RECORDS;
  #mostBytes = MOST_BYTES;

  constructor(options: SendOutboxOptions) {
    this.#options = options;
    this.#oldUpTo = options.outbox.last;
  }

  /** What the hub has was agreed upon. */
  resume(acked: number): void {
    if (this.#inFlight !== undefined && acked + 1 !== this.#inFlight.first) this.#inFlight = undefined;
  }

  /** Numbers count anew. */
  forget(): void {
    this.#inFlight = undefined;
    this.#oldUpTo = this.#options.outbox.last;
    this.#handled = undefined;
  }

  /** Until nothing waits. */
  async flush(signal: AbortSignal): Promise<void> {
    for (let batch = this.#next(); batch !== undefined; batch = this.#next()) await this.#send(batch, signal);
  }

  /**
   * Sends what comes, until the signal fires or something breaks. More of a block that the hub knows waits a moment for
   * what follows it, since the last batch: each is a request and a write to the hub's disk. Everything else goes at once,
   * with all that this turn of the event loop brings. A hub in this process would otherwise store what each of many
   * agents said in that turn by itself, and everybody else, who needs several turns for a request, would wait for all.
   */
  async follow(signal: AbortSignal): Promise<void> {
    const { outbox, gatherMs = GATHER_MS } = this.#options;
    const bell = new Bell(signal);
    let isUrgent = true;
    let sentAt = -Infinity;
    outbox.onAppend = (records) => {
      isUrgent ||= !records.every(isMore);
      bell.ring();
    };
    while (!signal.aborted) {
      const leftMs = sentAt + gatherMs - performance.now();
      if (outbox.pending === 0) await bell.rung();
      else if (!isUrgent && leftMs > 0) await bell.rung(leftMs);
      else {
        await nextTurn();
        const batch = this.#next()!;
        isUrgent = batch.first + batch.records.length <= outbox.last;
        sentAt = performance.now();
        await this.#send(batch, signal);
      }
    }
  }

  #next(): OutboxBatch | undefined {
    if (this.#inFlight !== undefined) return this.#inFlight;
    const batch = this.#options.outbox.read(this.#mostRecords, this.#mostBytes);
    if (batch === undefined) return undefined;
    const joinsPieces = batch.first > this.#oldUpTo;
    this.#inFlight = { ...batch, records: joinDeltas(batch.records, { handled: this.#handled, joinsPieces }) };
    return this.#inFlight;
  }

  async #send(batch: OutboxBatch, signal: AbortSignal): Promise<void> {
    const { outbox, link, limits } = this.#options;
    const send = (limit: AbortSignal) => link.send(outbox.runnerId, batch, limit);
    try {
      const { acked } = await withinLimit('the hub', (limits ?? LIMITS).sendMs, send, signal);
      if (acked < batch.first)
        throw new DragomanError('unavailable', `the hub took nothing of ${batch.records.length} records`);
      outbox.ack(acked);
      this.#inFlight = undefined;
      for (const record of batch.records) if (record !== null && 'handled' in record) this.#handled = record.handled;
      this.#mostRecords = Math.min(MOST_RECORDS, this.#mostRecords * 2);
      this.#mostBytes = Math.min(MOST_BYTES, this.#mostBytes * 2);
    } catch (error) {
      const isTooLarge = error instanceof DragomanError && error.code === 'too-large' && batch !== this.#replaced;
      if (!isTooLarge) throw error;
      this.#makeSmaller(batch);
    }
  }

  /** The hub took nothing of it, so it may be arranged anew. One record that is too large is replaced by saying so. */
  #makeSmaller(batch: OutboxBatch): void {
    this.#options.log.warn({ records: batch.records.length }, 'the hub found a batch too large');
    this.#inFlight = undefined;
    if (batch.records.length > 1) {
      this.#mostRecords = Math.ceil(batch.records.length / 2);
      this.#mostBytes = Math.max(1, Math.floor(this.#mostBytes / 2));
      return;
    }
    this.#replaced = { ...batch, records: batch.records.map(sayTooLarge) };
    this.#inFlight = this.#replaced;
  }
}

function isMore(record: OutboxRecord): boolean {
  return 'event' in record && record.event.type === 'block-delta';
}

function sayTooLarge(record: OutboxRecord): OutboxRecord {
  if (!('event' in record)) return record;
  const { event } = record;
  const message = 'What the agent sent here was too large to be passed on.';
  const block = { type: 'error', code: 'too-large', message } as const;
  if (event.type === 'block-stop' || event.type === 'block-start')
    return {
      ...record,
      event: { ...event, block: event.block.type === 'tool_result' ? shortResult(event.block, message) : block },
    };
  return { ...record, event: { type: 'agent-updated' } };
}

function shortResult<Block extends { tool_use_id: string; is_error?: boolean | undefined }>(
  block: Block,
  content: string,
) {
  return { type: 'tool_result' as const, tool_use_id: block.tool_use_id, is_error: block.is_error, content };
}

/** The hub answered that this runner may not come in: asking again would not help. */
class HubRefusal extends Error {
  readonly #reason: DragomanError;

  constructor(reason: DragomanError) {
    super(reason.message);
    this.#reason = reason;
  }

  toError(): DragomanError {
    const text = `the hub refused this runner: ${this.#reason.message}; give it a token that is valid there, of a member or an admin`;
    return new DragomanError(this.#reason.code, text, { cause: this.#reason });
  }
}

/** It was reached. Another configuration may be accepted, so it is tried again. */
function isNotAccepted(error: unknown): boolean {
  return error instanceof DragomanError && error.code === 'bad-request';
}

function retryAfter(error: unknown): number {
  return error instanceof DragomanError ? Math.min(error.retryAfterMs ?? 0, 60_000) : 0;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = () => resolve();
  signal.addEventListener('abort', stop, { once: true });
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
}
