/** How many pieces a round may have. */
export const MOST_PIECES = 4_095;
const PIECE_BITS = 12;
const ROUNDS = 2 ** (31 - PIECE_BITS);
/** In place of the next piece, while there is none. */
const NOTHING = MOST_PIECES;

/** Which piece of which round is next, and how many pieces of the round are done. */
const NEXT = 0;
const DONE = 1;

/**
 * Rounds of work whose pieces several threads take, each piece by whoever is free first. One thread leads: it begins a round
 * and waits for its end; the others take pieces of a round they were told of, and find nothing once it is over.
 */
export class SharedWork {
  /** To be sent to the other threads. */
  readonly state: Int32Array<SharedArrayBuffer>;
  #round = 0;
  /** How many pieces of the last round were taken. */
  #taken = 0;

  constructor(state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))) {
    this.state = state;
  }

  /** The number of a new round. What was not taken of the one before is dropped; false where what was taken does not end. */
  begin(limitMs: number): number | false {
    const next = Atomics.exchange(this.state, NEXT, NOTHING);
    if (next !== NOTHING) this.#taken = next & MOST_PIECES;
    if (!this.hasEnded(this.#taken, limitMs)) return false;
    this.#round = (this.#round + 1) % ROUNDS;
    Atomics.store(this.state, DONE, 0);
    Atomics.store(this.state, NEXT, this.#round << PIECE_BITS);
    return this.#round;
  }

  /** The next of the round's pieces, from 0 on, and nobody else's from now on; undefined when there is none left. */
  take(round: number, pieces: number): number | undefined {
    for (;;) {
      const next = Atomics.load(this.state, NEXT);
      const piece = next & MOST_PIECES;
      if (next >> PIECE_BITS !== round || piece >= pieces) return undefined;
      if (Atomics.compareExchange(this.state, NEXT, next, next + 1) === next) return piece;
    }
  }

  /** Does pieces of the round until none is left to take. */
  help(round: number, pieces: number, work: (piece: number) => void): void {
    for (let piece; (piece = this.take(round, pieces)) !== undefined;) {
      work(piece);
      this.finish();
    }
  }

  /** One that was taken is done. */
  finish(): void {
    Atomics.add(this.state, DONE, 1);
    Atomics.notify(this.state, DONE);
  }

  /** Waits until so many pieces are done; false where that takes too long. */
  hasEnded(pieces: number, limitMs: number): boolean {
    const end = performance.now() + limitMs;
    for (;;) {
      const done = Atomics.load(this.state, DONE);
      if (done >= pieces) return true;
      const left = end - performance.now();
      if (left <= 0) return false;
      Atomics.wait(this.state, DONE, done, left);
    }
  }
}
