/** A file, or a part of one, of which pieces are to be shown. */
export interface SourceFile {
  path: string;
  /** The number of the first of these lines. */
  firstLine: number;
  /** One that is absent is not shown. */
  lines: readonly (string | undefined)[];
  /** What is wanted of it, the best first. Lines are counted from 1, both ends inclusive, and lie within the file. */
  wanted: readonly { start: number; end: number }[];
}

const HEAD = 'The following code sections were retrieved:\n';
/** As wide as a number of lines usually is; a longer one pushes its line to the right. */
const NUMBER_WIDTH = 6;
/** The least that a line costs: its number, a tab and its end. */
const LEAST_LINE_LENGTH = NUMBER_WIDTH + 2;
/** At first a piece may take this share of what is left, so that the best have most and many have something. */
const SHARE = 1 / 4;
/** Less than this is of little use. */
const LEAST_PIECE_LENGTH = 400;
/** How far a piece grows beyond what was wanted where there is room: comments above it, and what comes next. */
const CONTEXT_LINES = 5;
/** Longer than any answer. */
const NO_ROOM = 1e9;
/** A gap this small is filled, as telling it would take about as much. */
const SMALL_GAP = 2;

/**
 * Pieces of files as one text with paths and line numbers, in whole lines and no longer than `maxLength` characters.
 *
 * The files come best first. Each is given a part of what it wants before any is given all of it, and the first piece
 * of every file comes before the second of any. What is left over completes the pieces, the best first, and then
 * widens them. A piece that is not whole says which lines are left out. Without room for a single place the text is
 * empty.
 */
export function layOutPieces(files: readonly SourceFile[], maxLength: number): string {
  const text = layOut(files, maxLength)
    .map((section) => section.render())
    .join('');
  return text === '' ? '' : HEAD + text;
}

/** Which lines of each file such a text shows. */
export function shownRuns(files: readonly SourceFile[], maxLength: number): Run[][] {
  return layOut(files, maxLength).map((section) => section.runs());
}

function layOut(files: readonly SourceFile[], maxLength: number): Section[] {
  const sections = files.map((file) => new Section(file));
  const pieces = inTurns(sections.map((section) => section.pieces));
  let left = maxLength - HEAD.length;
  const grow = (piece: Piece, wanted: { start: number; end: number }, limit = left) => {
    left -= piece.section.grow(piece, wanted, Math.min(limit, left));
  };

  for (const piece of pieces) {
    grow(piece, piece.wanted, Math.max(left * SHARE, LEAST_PIECE_LENGTH));
    // The best begins even where its first line is a long one.
    if (piece === pieces[0] && !piece.isShown) grow(piece, piece.wanted, left / 2);
  }
  for (const piece of pieces) grow(piece, piece.wanted);
  for (let distance = 1; distance <= CONTEXT_LINES; distance++)
    for (const piece of pieces) if (piece.isWhole) grow(piece, piece.surroundings(distance));
  for (const section of sections) left -= section.fillSmallGaps(left);
  return sections;
}

/** The first of every list, then the second of every list, and so on. */
function inTurns<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const turns = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: turns }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}

/** Lines, counted from 1, both ends inclusive. */
export interface Run {
  start: number;
  end: number;
}

class Piece {
  readonly section: Section;
  readonly wanted: Run;
  /** What is shown of it; nothing while the end is before the start. */
  shown: Run;

  constructor(section: Section, wanted: Run) {
    this.section = section;
    this.wanted = wanted;
    this.shown = { start: wanted.start, end: wanted.start - 1 };
  }

  get isShown(): boolean {
    return this.shown.end >= this.shown.start;
  }

  get isWhole(): boolean {
    return this.isShown && this.shown.end >= this.wanted.end;
  }

  surroundings(distance: number): Run {
    return { start: this.wanted.start - distance, end: this.wanted.end + distance };
  }
}

/** What is shown of one file, and how long that is. */
class Section {
  readonly pieces: Piece[];
  readonly #file: SourceFile;
  /** The length of all lines before each, for the length of any run in two steps. */
  readonly #lengths: number[] = [0];
  /** Whether the place is named although none of its lines had room. */
  #isNamed = false;

  constructor(file: SourceFile) {
    this.#file = file;
    this.pieces = file.wanted.map((wanted) => new Piece(this, wanted));
  }

  /** Shows as much of `wanted` as `limit` more characters allow, always from its beginning, and says what it cost. */
  grow(piece: Piece, wanted: Run, limit: number): number {
    const before = this.#length();
    if (before === 0 && limit < this.#pathLine.length + LEAST_LINE_LENGTH) return 0;
    const old = piece.shown;
    const wasNamed = this.#isNamed;
    const start = Math.max(Math.min(wanted.start, old.start), this.#file.firstLine);
    const last = Math.min(
      wanted.end,
      this.#lastLine,
      Math.max(old.end, start) + Math.floor(limit / LEAST_LINE_LENGTH) + 1,
    );
    for (const from of start < old.start ? [start, old.start] : [start]) {
      for (let end = last; end >= old.end && end >= from; end--) {
        piece.shown = { start: from, end };
        const cost = this.#length() - before;
        if (cost <= limit) return cost;
      }
    }
    piece.shown = old;
    if (this.pieces.some(({ isShown }) => isShown) || wasNamed) return 0;
    // Not even its first line has room; that it is there is still worth knowing.
    this.#isNamed = true;
    const cost = this.#length() - before;
    if (cost <= limit) return cost;
    this.#isNamed = false;
    return 0;
  }

  fillSmallGaps(limit: number): number {
    let cost = 0;
    const runs = this.runs();
    for (const [index, run] of runs.entries()) {
      const next = runs[index + 1]?.start ?? Number.POSITIVE_INFINITY;
      const piece = this.pieces.find(({ isShown, shown }) => isShown && shown.end === run.end);
      if (piece !== undefined && next - run.end <= SMALL_GAP + 1)
        cost += this.grow(piece, { start: piece.shown.start, end: next - 1 }, limit - cost);
    }
    return cost;
  }

  render(): string {
    const runs = this.runs();
    if (runs.length === 0) return this.#isNamed ? `${this.#pathLine}${leftOut(this.pieces[0]!.wanted)}` : '';
    return this.#pathLine + runs.map((run, index) => this.#renderRun(run, runs[index + 1])).join('');
  }

  #renderRun(run: Run, next: Run | undefined): string {
    let text = '';
    for (let number = run.start; number <= run.end; number++)
      text += `${String(number).padStart(NUMBER_WIDTH)}\t${this.#file.lines[number - this.#file.firstLine]}\n`;
    return text + this.#afterRun(run, next);
  }

  /** The length of what `render` gives, without making it. */
  #length(): number {
    const runs = this.runs();
    if (runs.length === 0) return this.render().length;
    let length = this.#pathLine.length;
    for (const [index, run] of runs.entries())
      length +=
        this.#lengthUpTo(run.end) - this.#lengthUpTo(run.start - 1) + this.#afterRun(run, runs[index + 1]).length;
    return length;
  }

  #lengthUpTo(number: number): number {
    const lengths = this.#lengths;
    const count = number - this.#file.firstLine + 1;
    while (lengths.length <= count) {
      const index = lengths.length - 1;
      const digits = String(this.#file.firstLine + index).length;
      lengths.push(lengths[index]! + Math.max(digits, NUMBER_WIDTH) + 2 + (this.#file.lines[index]?.length ?? NO_ROOM));
    }
    return lengths[count]!;
  }

  /** What is said between a run and the next, or at the end: which wanted lines are missing, or only that some are. */
  #afterRun(run: Run, next: Run | undefined): string {
    const cut = this.pieces.filter(
      ({ isShown, shown, wanted }) => isShown && shown.end <= run.end && wanted.end > run.end,
    );
    if (cut.length === 0) return next === undefined ? '' : '...\n';
    const end = Math.max(...cut.map(({ wanted }) => wanted.end));
    return leftOut({ start: run.end + 1, end: next === undefined ? end : Math.min(end, next.start - 1) });
  }

  /** The shown pieces in the order of their lines, those that touch as one. */
  runs(): Run[] {
    const runs: Run[] = [];
    const shown = this.pieces.filter(({ isShown }) => isShown).map((piece) => piece.shown);
    for (const { start, end } of shown.toSorted((a, b) => a.start - b.start)) {
      const last = runs.at(-1);
      if (last !== undefined && start <= last.end + 1) last.end = Math.max(last.end, end);
      else runs.push({ start, end });
    }
    return runs;
  }

  get #pathLine(): string {
    return `Path: ${onOneLine(this.#file.path)}\n`;
  }

  get #lastLine(): number {
    return this.#file.firstLine + this.#file.lines.length - 1;
  }
}

function leftOut({ start, end }: Run): string {
  return start === end ? `... line ${start} is left out\n` : `... lines ${start}-${end} are left out\n`;
}

const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]/gu;
const SHORT_ESCAPES: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A file may have any name, also one that would look like the next section. */
function onOneLine(path: string): string {
  return path.replace(
    CONTROL_CHARACTERS,
    (char) => SHORT_ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
