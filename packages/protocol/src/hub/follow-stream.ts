import { DragomanError } from '../dragoman-error.ts';
import { readServerEvents, type ServerEvent } from './read-server-events.ts';

/** How the connection behind a followed stream is doing. */
export type StreamState =
  | { type: 'connecting' }
  /** From here on nothing is missed; lists that were read before are to be read again. */
  | { type: 'live' }
  /** It broke, and is tried again. */
  | { type: 'waiting'; reason: DragomanError; retryInMs: number };

/** In milliseconds. */
export interface StreamTimes {
  /** The server gives a sign every 15 seconds; without one for this long the connection is dead. */
  silenceMs: number;
  firstRetryMs: number;
  maxRetryMs: number;
}

/** What is followed, and by whom. */
export interface FollowedStream<Message> {
  /** Opens the stream from where the reader stands now; rejects with a `DragomanError`. */
  open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
  /** Throws where the message cannot be read; the connection is then given up. */
  decode: (event: ServerEvent) => Message;
  receive: (message: Message) => void;
  onState?: ((state: StreamState) => void) | undefined;
  signal?: AbortSignal | undefined;
  times: StreamTimes;
  /** Streams that wait or may be dead, each as a function that makes it look again at once. */
  nudges: Set<() => void>;
}

/** What waiting does not mend. */
const FINAL: ReadonlySet<string> = new Set(['unauthenticated', 'forbidden', 'not-found', 'bad-request', 'misdirected']);
/** A connection that lived this long was a good one, even if nothing happened. */
const GOOD_MS = 10_000;

/**
 * Follows a stream for ever: what breaks is opened again, with growing delay while it keeps breaking.
 *
 * Resolves when the signal ends it. Rejects when the server says that it is no use to ask again, and when the reader
 * itself fails; that is not mended by another connection.
 */
export async function followStream<Message>(stream: FollowedStream<Message>): Promise<void> {
  const { signal, times } = stream;
  let failures = 0;
  const isOver = () => signal?.aborted === true;
  while (!isOver()) {
    stream.onState?.({ type: 'connecting' });
    const end = await readOnce(stream);
    if (isOver()) return;
    const { reason } = end;
    failures = end.wasGood ? 0 : failures + 1;
    if (end.isHurried) continue;
    const growing = Math.min(times.firstRetryMs * 2 ** Math.min(Math.max(failures - 1, 0), 20), times.maxRetryMs);
    // Many readers lose their server in the same moment; they do not all come back in the same moment.
    const retryInMs = Math.round(reason.retryAfterMs ?? growing * (0.75 + Math.random() / 2));
    stream.onState?.({ type: 'waiting', reason, retryInMs });
    await waitOrNudge(retryInMs, stream);
  }
}

interface StreamEnd {
  reason: DragomanError;
  wasGood: boolean;
  /** Somebody said that the network is back. */
  isHurried: boolean;
}

/** One connection, from its opening to its end; resolves with what ended it, and rejects with what is final. */
async function readOnce<Message>(stream: FollowedStream<Message>): Promise<StreamEnd> {
  const { open, decode, receive, onState, signal, times, nudges } = stream;
  const ending = new AbortController();
  const leave = () => ending.abort(new DragomanError('cancelled', 'The stream is not followed any more.'));
  const startedAt = Date.now();
  let lastSignAt = startedAt;
  let hasDelivered = false;
  let isHurried = false;
  let isReaderAtFault = false;
  const toReader = (call: () => void) => {
    isReaderAtFault = true;
    call();
    isReaderAtFault = false;
  };

  const checkSilence = () => {
    const left = lastSignAt + times.silenceMs - Date.now();
    if (left <= 0) ending.abort(silence(times.silenceMs));
    else timer = setTimeout(checkSilence, left);
  };
  let timer = setTimeout(checkSilence, times.silenceMs);
  // When a machine wakes up, its connections are often gone without a word.
  const nudge = () => {
    if (Date.now() - lastSignAt < times.silenceMs / 2) return;
    isHurried = true;
    ending.abort(silence(Date.now() - lastSignAt));
  };
  signal?.addEventListener('abort', leave);
  nudges.add(nudge);
  try {
    const body = await open(ending.signal);
    lastSignAt = Date.now();
    toReader(() => onState?.({ type: 'live' }));
    const take = (event: ServerEvent) => {
      const message = decode(event);
      hasDelivered = true;
      toReader(() => receive(message));
    };
    await readServerEvents(body, take, { onPiece: () => (lastSignAt = Date.now()) });
    throw new DragomanError('unavailable', 'The server ended the stream.', { isRetryable: true });
  } catch (error) {
    if (isReaderAtFault) throw error;
    const known = ending.signal.aborted ? (ending.signal.reason as DragomanError) : error;
    const reason = known instanceof DragomanError ? known : brokenOff(known);
    if (FINAL.has(reason.code)) throw reason;
    return {
      reason,
      wasGood: hasDelivered || Date.now() - startedAt > GOOD_MS,
      isHurried,
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
    nudges.delete(nudge);
  }
}

function waitOrNudge(ms: number, { signal, nudges }: Pick<FollowedStream<never>, 'signal' | 'nudges'>): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', go);
      nudges.delete(go);
      resolve();
    };
    const timer = setTimeout(go, ms);
    signal?.addEventListener('abort', go);
    nudges.add(go);
    if (signal?.aborted === true) go();
  });
}

function silence(ms: number): DragomanError {
  return new DragomanError('timed-out', `The server has been silent for ${ms} ms.`, { isRetryable: true });
}

function brokenOff(cause: unknown): DragomanError {
  return new DragomanError('unavailable', 'The connection to the server broke off.', { cause, isRetryable: true });
}
