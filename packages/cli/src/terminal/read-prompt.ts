import { DragomanError } from '@dragoman/protocol';

export interface ReadPromptOptions {
  /** The words of the command line. */
  args: readonly string[];
  stdin: AsyncIterable<Uint8Array | string>;
  /** Whether a person sits at `stdin`: then it is not read. */
  isTTY: boolean;
  signal?: AbortSignal;
  /** Told once when a pipe has said nothing for a while, so that a person can be told what is waited for. */
  onWaiting?: () => void;
  waitingMs?: number;
  /** How long a pipe may say nothing. */
  idleMs?: number;
}

const MAX_BYTES = 10_000_000;
const WAITING_MS = 3_000;
const IDLE_MS = 10 * 60_000;

/**
 * What is asked: the words, and below them what was piped in. `undefined`: nothing is.
 *
 * A pipe is read to its end, also when there are words: what a slow program writes must not be lost without a word.
 */
export async function readPrompt(options: ReadPromptOptions): Promise<string | undefined> {
  const words = options.args.join(' ').trim();
  const piped = options.isTTY ? '' : (await readPiped(options)).trim();
  const prompt = [words, piped].filter((text) => text !== '').join('\n\n');
  return prompt === '' ? undefined : prompt;
}

async function readPiped(options: ReadPromptOptions): Promise<string> {
  const { stdin, signal, onWaiting, waitingMs = WAITING_MS, idleMs = IDLE_MS } = options;
  signal?.throwIfAborted();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const reader = stdin[Symbol.asyncIterator]();
  const waiting = onWaiting === undefined ? undefined : setTimeout(onWaiting, waitingMs);
  try {
    for (;;) {
      const { done, value } = await within(reader.next(), idleMs, signal);
      clearTimeout(waiting);
      if (done === true) return decode(pieces);
      const piece = typeof value === 'string' ? Buffer.from(value) : value;
      bytes += piece.length;
      if (bytes > MAX_BYTES)
        throw new DragomanError(
          'too-large',
          `The piped input is larger than ${MAX_BYTES} bytes. Save it to a file and mention its path instead.`,
        );
      pieces.push(piece);
    }
  } finally {
    clearTimeout(waiting);
    // An end that waits for the pipe would wait for what was given up on.
    void Promise.resolve(reader.return?.()).catch(() => {});
  }
}

/** A byte order mark at the front is no part of the text. */
function decode(pieces: readonly Uint8Array[]): string {
  return new TextDecoder().decode(Buffer.concat(pieces));
}

async function within<Value>(promise: Promise<Value>, ms: number, signal: AbortSignal | undefined): Promise<Value> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal?.reason as Error);
  const timer = setTimeout(
    () =>
      reject(
        new DragomanError('timed-out', `Standard input was silent for ${Math.round(ms / 1000)} s without ending.`),
      ),
    ms,
  );
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
