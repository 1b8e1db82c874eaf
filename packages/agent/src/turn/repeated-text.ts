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
  #sinceLook = 0;
  #fences = 0;

  /** The piece that is repeated, once it is certain. */
  push(delta: string): string | undefined {
    this.#text += delta;
    this.#sinceLook += delta.length;
    if (delta.includes('`')) this.#fences = this.#text.match(/^\s*```/gm)?.length ?? 0;
    if (this.#sinceLook < LOOK_EVERY) return undefined;
    this.#sinceLook = 0;
    if (this.#fences % 2 === 1) return undefined;
    if (this.#text.length > 4 * WINDOW && this.#fences === 0) this.#text = this.#text.slice(-WINDOW);
    return repeatedPiece(this.#text.slice(-WINDOW));
  }
}

/** The shortest piece whose repetition the text ends with. */
export function repeatedPiece(text: string): string | undefined {
  // The failure table of the reversed text holds the shortest period of every end of it.
  const reversed = [...text].toReversed();
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
