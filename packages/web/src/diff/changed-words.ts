/** From where to where in a line. */
export type Span = readonly [from: number, to: number];

const MAX_CHARS = 2000;
const MAX_STEPS = 40_000;
/** Lines that have less in common than this are not two forms of one line. */
const LEAST_ALIKE = 0.3;

/** Which words of two lines differ; nothing where the lines have little in common. */
export function changedWords(before: string, after: string): { before: Span[]; after: Span[] } | undefined {
  if (before === after || before.length > MAX_CHARS || after.length > MAX_CHARS) return undefined;
  const [one, other] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (
    end < one.length - start &&
    end < other.length - start &&
    one[one.length - 1 - end] === other[other.length - 1 - end]
  )
    end += 1;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const kept = left.length * right.length > MAX_STEPS ? undefined : commonWords(left, right);
  const changed = {
    before: spansOf(one, (index) => isChanged(index, start, left.length, kept?.left)),
    after: spansOf(other, (index) => isChanged(index, start, right.length, kept?.right)),
  };
  const same = before.length - lengthOf(changed.before);
  return same < LEAST_ALIKE * Math.max(before.trim().length, after.trim().length) ? undefined : changed;
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function isChanged(index: number, start: number, length: number, kept: ReadonlySet<number> | undefined): boolean {
  return index >= start && index < start + length && kept?.has(index - start) !== true;
}

/** The places of the longest list of words that both have. */
function commonWords(left: readonly string[], right: readonly string[]): { left: Set<number>; right: Set<number> } {
  const width = right.length + 1;
  const best = new Uint16Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row -= 1)
    for (let column = right.length - 1; column >= 0; column -= 1)
      best[row * width + column] =
        left[row] === right[column]
          ? best[(row + 1) * width + column + 1]! + 1
          : Math.max(best[(row + 1) * width + column]!, best[row * width + column + 1]!);
  const kept = { left: new Set<number>(), right: new Set<number>() };
  for (let row = 0, column = 0; row < left.length && column < right.length;) {
    if (left[row] === right[column]) {
      kept.left.add(row++);
      kept.right.add(column++);
    } else if (best[(row + 1) * width + column]! >= best[row * width + column + 1]!) row += 1;
    else column += 1;
  }
  return kept;
}

function spansOf(words: readonly string[], isOut: (index: number) => boolean): Span[] {
  const spans: [number, number][] = [];
  let at = 0;
  for (const [index, word] of words.entries()) {
    const to = at + word.length;
    if (isOut(index)) {
      const last = spans.at(-1);
      if (last?.[1] === at) last[1] = to;
      else spans.push([at, to]);
    }
    at = to;
  }
  return spans;
}

function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, [from, to]) => sum + to - from, 0);
}
