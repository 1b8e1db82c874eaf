import type { TextPiece } from './text-calls.ts';

/**
 * Joins what is said in one go: a program that writes thousands of short lines at once makes one piece of them, and not
 * thousands that each have to be kept and sent.
 */
export class JoinedPieces {
  readonly #onPiece: (piece: TextPiece) => void;
  #waiting: Extract<TextPiece, { delta: string }> | undefined;

  constructor(onPiece: (piece: TextPiece) => void) {
    this.#onPiece = onPiece;
  }

  push(piece: TextPiece): void {
    const before = this.#waiting;
    if ('delta' in piece && before !== undefined && isSame(before, piece)) {
      this.#waiting = { ...before, delta: before.delta + piece.delta };
      return;
    }
    this.flush();
    if ('delta' in piece) this.#waiting = piece;
    else this.#onPiece(piece);
  }

  /** Nothing more comes for now. */
  flush(): void {
    const piece = this.#waiting;
    this.#waiting = undefined;
    if (piece !== undefined) this.#onPiece(piece);
  }
}

function isSame(one: TextPiece, other: TextPiece): boolean {
  if (one.type !== other.type) return false;
  return one.type !== 'tool-output' || (other.type === 'tool-output' && one.id === other.id);
}
