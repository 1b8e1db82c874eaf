/** Work that is done a piece at a time, so that others need not wait for all of it. */
export type Turns<Result> = Generator<undefined, Result>;

/** So much of a text is looked at in a turn. */
export const BLOCK = 64 * 1024;

/** A text without its secrets, and how many there were. */
export interface Redacted {
  text: string;
  count: number;
}

export type RedactInTurns = (text: string) => Turns<Redacted>;

/** Takes all the turns at once. */
export function toEnd<Result>(turns: Turns<Result>): Result {
  for (;;) {
    const { done, value } = turns.next();
    if (done === true) return value;
  }
}
