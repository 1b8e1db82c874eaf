import type { Definition } from '../definitions/definition.ts';

/** A piece of a file that is ranked and shown as a whole. Lines count from 1; both ends are inclusive. */
export interface Chunk {
  start: number;
  end: number;
  /** The definition it is, or is a part of. */
  symbol?: string;
  /** Which of the file's definitions begin in it, by index. */
  definitions: number[];
}

/** What a chunk is filled up to with small neighbours, and cut near where nothing else tells. */
const TARGET_LINES = 50;
const TARGET_LENGTH = 2400;
/** Up to here a definition stays whole. */
const MAX_LINES = 120;
const MAX_LENGTH = 6000;
/** How much text directly above a definition is taken for its comments and decorators. */
const MAX_LEAD_LINES = 60;
const MAX_CLOSING_LINES = 4;
const MAX_DEPTH = 12;

/** A stretch of lines that is not cut. */
interface Piece {
  start: number;
  end: number;
  /** The definition it is or belongs to; -1 for none. */
  owner: number;
  /** The definition around it that was too large to stay whole; -1 for none. */
  around: number;
}

/**
 * Cuts a file into chunks that begin and end where its definitions do: each line is in exactly one chunk. Definitions
 * must be in order, the outer before the inner, as `findDefinitions` gives them.
 */
export function chunkFile(_path: string, text: string, definitions: readonly Definition[]): Chunk[] {
  const lines = readLines(text);
  if (lines.count === 0) return [];
  const children = nest(definitions);
  const pieces: Piece[] = [];
  cutBlock(1, lines.count, -1, 0);
  return merge(pieces, lines, definitions);

  /** The pieces of these lines: the definitions directly inside, and what is between them. */
  function cutBlock(start: number, end: number, owner: number, depth: number): void {
    let next = start;
    for (const index of children.get(owner) ?? []) {
      const definition = definitions[index]!;
      if (definition.line < next || definition.line > end) continue;
      const last = Math.min(Math.max(definition.endLine, definition.line), end);
      let first = definition.line;
      // The head of what is around it is not its comment.
      const head = owner === -1 ? 0 : definitions[owner]!.line;
      const limit = Math.max(next, first - MAX_LEAD_LINES, head < first ? head + 1 : 0);
      // A block comment may be set off by a blank line.
      if (first - 1 > limit && lines.isBlank(first - 1) && lines.endsComment(first - 2)) first -= 2;
      while (first > limit && !lines.isBlank(first - 1)) first--;
      if (first > next) cutText(next, first - 1, owner, owner);
      if (lines.fit(first, last, MAX_LINES, MAX_LENGTH))
        pieces.push({ start: first, end: last, owner: index, around: owner });
      else if (children.has(index) && depth < MAX_DEPTH) cutBlock(first, last, index, depth + 1);
      else cutText(first, last, index, index);
      next = last + 1;
    }
    if (next <= end) cutText(next, end, owner, owner);
  }

  /** The pieces of lines that nothing divides: cut at the blank line with the least indented text behind it. */
  function cutText(start: number, end: number, owner: number, around: number): void {
    let from = start;
    while (from <= end) {
      if (lines.fit(from, end, TARGET_LINES, TARGET_LENGTH)) {
        pieces.push({ start: from, end, owner, around });
        return;
      }
      let cut = from;
      let last = from;
      let least = Infinity;
      while (last < end && lines.fit(from, last + 1, TARGET_LINES, TARGET_LENGTH)) {
        last++;
        if (last - from < TARGET_LINES / 3 || last >= end || !lines.isBlank(last)) continue;
        const indent = lines.indent(last + 1);
        if (indent <= least) {
          least = indent;
          cut = last;
        }
      }
      if (least === Infinity) cut = last;
      pieces.push({ start: from, end: cut, owner, around });
      from = cut + 1;
    }
  }
}

/** Small pieces together up to the target. Blank lines and closing brackets stay with what is above them. */
function merge(pieces: readonly Piece[], lines: Lines, definitions: readonly Definition[]): Chunk[] {
  const chunks: Chunk[] = [];
  let parts: Piece[] = [];
  let definition = 0;
  const flush = () => {
    const start = parts[0]!.start;
    const end = parts.at(-1)!.end;
    const chunk: Chunk = { start, end, definitions: [] };
    for (; definition < definitions.length && definitions[definition]!.line <= end; definition++)
      chunk.definitions.push(definition);
    const symbol = symbolOf(parts, lines, definitions);
    if (symbol !== undefined) chunk.symbol = symbol;
    chunks.push(chunk);
    parts = [];
  };
  for (const piece of pieces) {
    const start = parts[0]?.start;
    if (
      start !== undefined &&
      !lines.areClosing(piece.start, piece.end) &&
      !lines.fit(start, piece.end, TARGET_LINES, TARGET_LENGTH)
    )
      flush();
    parts.push(piece);
  }
  if (parts.length > 0) flush();
  return chunks;
}

/** The definition whose head it holds though not all of it; else the one most lines belong to, or the one around all. */
function symbolOf(parts: readonly Piece[], lines: Lines, definitions: readonly Definition[]): string | undefined {
  const sizes = new Map<number, number>();
  const arounds = new Set<number>();
  const containers = new Set<string | undefined>();
  let total = 0;
  let largest = 0;
  let owner = -1;
  for (const part of parts) {
    if (lines.areClosing(part.start, part.end)) continue;
    const { line = 0, name, container } = definitions[part.owner] ?? {};
    if (part.owner !== -1 && part.owner === part.around && line >= part.start && line <= part.end) return name;
    const size = part.end - part.start + 1;
    const sum = (sizes.get(part.owner) ?? 0) + size;
    sizes.set(part.owner, sum);
    arounds.add(part.around);
    containers.add(container);
    total += size;
    if (part.owner !== -1 && sum > largest) {
      largest = sum;
      owner = part.owner;
    }
  }
  if (owner === -1) return undefined;
  if (largest * 2 > total) return definitions[owner]!.name;
  const [around = -1] = arounds;
  if (arounds.size === 1 && around !== -1) return definitions[around]!.name;
  return containers.size === 1 ? [...containers][0] : undefined;
}

/** For each definition, and -1 for the file, the definitions directly inside. */
function nest(definitions: readonly Definition[]): Map<number, number[]> {
  const children = new Map<number, number[]>();
  const around: number[] = [];
  for (let index = 0; index < definitions.length; index++) {
    const { line } = definitions[index]!;
    while (around.length > 0 && definitions[around.at(-1)!]!.endLine < line) around.pop();
    const parent = around.at(-1) ?? -1;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [index]);
    else siblings.push(index);
    around.push(index);
  }
  return children;
}

interface Lines {
  count: number;
  isBlank(line: number): boolean;
  /** Whether they only end something: all blank, or a few with nothing but closing brackets. */
  areClosing(start: number, end: number): boolean;
  indent(line: number): number;
  endsComment(line: number): boolean;
  /** Whether these lines are no more than so many lines and characters. */
  fit(start: number, end: number, maxLines: number, maxLength: number): boolean;
}

function readLines(text: string): Lines {
  const starts: number[] = [];
  const firsts: number[] = [];
  const blanks: boolean[] = [];
  for (let start = 0; start < text.length;) {
    let first = start;
    let code = text.charCodeAt(first);
    while (code === 32 || code === 9 || code === 13) code = text.charCodeAt(++first);
    starts.push(start);
    firsts.push(first);
    blanks.push(code === 10 || first >= text.length);
    const end = text.indexOf('\n', first);
    start = end === -1 ? text.length : end + 1;
  }
  const count = starts.length;
  starts.push(text.length);
  return {
    count,
    isBlank: (line) => blanks[line - 1]!,
    areClosing(start, end) {
      for (let line = start; line <= end; line++) {
        if (blanks[line - 1]) continue;
        if (end - start >= MAX_CLOSING_LINES || !isCloser(text, firsts[line - 1]!, starts[line]!)) return false;
      }
      return true;
    },
    endsComment: (line) => text.startsWith('*/', firsts[line - 1]),
    indent: (line) => firsts[line - 1]! - starts[line - 1]!,
    fit: (start, end, maxLines, maxLength) => end - start < maxLines && starts[end]! - starts[start - 1]! <= maxLength,
  };
}

/** `}`, `)`, `]`, `end` and what follows them in punctuation. */
function isCloser(text: string, from: number, to: number): boolean {
  return to - from < 12 && CLOSER.test(text.slice(from, to));
}

const CLOSER = /^(?:[)}\];,]|end\b)+\s*$/;
