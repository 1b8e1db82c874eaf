import { DragomanError } from '@dragoman/protocol';
import type { Caller } from './caller.ts';
import type { TokenStore } from './token-store.ts';

/** Their tokens are looked at this often, all of them together. */
const LOOK_MS = 5_000;
/** Enough for a person with many windows; a program that forgets to close its streams is told. */
const MAX_PER_TOKEN = 256;

/** Who reads a stream, and how it is ended. */
interface OpenStream {
  caller: Caller;
  end: () => void;
}

/**
 * Streams that are open, by the token they were opened with.
 *
 * A token is checked when a request comes, and a stream is one request for a long time. So those of a token that is
 * revoked, has expired or may less than before are ended here.
 */
export class OpenStreams {
  readonly #tokens: Pick<TokenStore, 'areGood'>;
  readonly #lookMs: number;
  readonly #streams = new Map<string, Set<OpenStream>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(tokens: Pick<TokenStore, 'areGood'>, lookMs: number = LOOK_MS) {
    this.#tokens = tokens;
    this.#lookMs = lookMs;
  }

  /** Notes a stream, which is ended when its token is good no more. Refuses one too many. Returns how to leave. */
  enter(caller: Caller, end: () => void): () => void {
    const key = caller.tokenId ?? `given to ${caller.userId}`;
    const streams = this.#streams.get(key) ?? new Set();
    if (streams.size >= MAX_PER_TOKEN)
      throw new DragomanError(
        'rate-limited',
        `The token "${caller.tokenName}" has ${streams.size} open streams, which is the limit. Close some, or use another token.`,
        { isRetryable: true, retryAfterMs: 10_000 },
      );
    const stream = { caller, end };
    this.#streams.set(key, streams.add(stream));
    this.#timer ??= setInterval(() => void this.look(), this.#lookMs).unref();
    return () => {
      streams.delete(stream);
      if (streams.size === 0 && this.#streams.get(key) === streams) this.#streams.delete(key);
      if (this.#streams.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Whether a caller may still do what they might when their request came, as the database says now. */
  async isGood(caller: Caller): Promise<boolean> {
    return (await this.#tokens.areGood([caller])).has(caller);
  }

  /** Looks at every token now, and ends the streams of those that are good no more. */
  async look(): Promise<void> {
    const streams = [...this.#streams.values()].flatMap((open) => [...open]);
    try {
      const good = await this.#tokens.areGood(streams.map(({ caller }) => caller));
      for (const { caller, end } of streams) if (!good.has(caller)) end();
    } catch {
      // The database does not answer now. Nothing new comes out of it either, and the next look is soon.
    }
  }
}
