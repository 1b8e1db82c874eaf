/** Text is looked at again whenever so much more of it has come. */
const LOOK_EVERY = 256;
/** How far back a repetition is looked for. */
const WINDOW = 6_000;
/** So many times the same, and so much of it, is no list and no table any more. */
const MIN_REPEATS = 8;
const MIN_LENGTH = 600;

/**
 * Notices a model that writes the same over and over.
 *
 * The end of the text is taken for a repetition when its last part consists of one piece, with letters in it, many times in
 * a row. Inside fenced code nothing is judged: tables of data do repeat.
 */
export class RepeatedText {
  #text = '';
  #line = '';
  #sinceLook = 0;
  #isInCode = false;

  /** The piece that is repeated, once it is certain. */
  push(delta: string): string | undefined {
    this.#text += delta;
    this.#sinceLook += delta.length;
    this.#readFences(delta);
    if (this.#sinceLook < LOOK_EVERY) return undefined;
    this.#sinceLook = 0;
    if (this.#text.length > 4 * WINDOW) this.#text = this.#text.slice(-WINDOW);
    return this.#isInCode ? undefined : repeatedPiece(this.#text.slice(-WINDOW));
  }

  /** Only the beginning of the line that is being written is looked at: an answer may be long. */
  #readFences(delta: string): void {
    const [rest, ...lines] = delta.split('\n');
    this.#continueLine(rest!);
    for (const line of lines) {
      this.#line = '';
      this.#continueLine(line);
    }
  }

  #continueLine(text: string): void {
    const before = FENCE.test(this.#line);
    if (this.#line.length < LINE_START) this.#line += text.slice(0, LINE_START);
    if (!before && FENCE.test(this.#line)) this.#isInCode = !this.#isInCode;
  }
}

const FENCE = /^\s*```/;
/** A fence stands at the beginning of its line, behind an indent at most. */
const LINE_START = 80;

/** The shortest piece whose repetition the text ends with. */
export function repeatedPiece(text: string): string | undefined {
  // The failure table of the reversed text holds the shortest period of every end of it.
  const reversed = Array.from(text).toReversed();
  const failure = new Int32Array(reversed.length);
  for (let index = 1, matched = 0; index < reversed.length; index++) {
    while (matched > 0 && reversed[index] !== reversed[matched]) matched = failure[matched - 1]!;
    if (reversed[index] === reversed[matched]) matched++;
    failure[index] = matched;
    const length = index + 1;
    const period = length - matched;
    if (length < MIN_LENGTH || length / period < MIN_REPEATS) continue;
    const piece = reversed.slice(0, period).toReversed().join('');
    if (/\p{L}.*\p{L}/su.test(piece)) return piece;
  }
  return undefined;
}
