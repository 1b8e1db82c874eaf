import type { Call, Row } from '@dragoman/protocol';

/** A place in a conversation with words of its own. */
interface Piece {
  text: string;
  since: number;
  /** What must be folded out for it to be seen, from the outside in. */
  opens: readonly string[];
}

/** A place that was looked for: the row it is in, and the piece in there. */
export interface Place extends Pick<Piece, 'opens'> {
  rowKey: string;
  /** Which of the same words in there, from the first on. */
  nth: number;
}

/** Whoever looks for a letter is not led to each of them. */
const MOST_IN_PIECE = 200;

/** Rows that did not change are the same objects, and so are their pieces. */
const known = new WeakMap<Row, readonly Piece[]>();

/** Every place that holds a text, from the first to the last. Upper and lower case are the same. */
export function findPlaces(rows: readonly Row[], text: string): Place[] {
  const wanted = text.trim();
  if (wanted === '') return [];
  const pattern = new RegExp(wanted.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu');
  return rows.flatMap((row) =>
    piecesOf(row).flatMap(({ text: within, opens }) =>
      Array.from({ length: countOf(within, pattern) }, (_none, nth) => ({ rowKey: row.key, opens, nth })),
    ),
  );
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _match of text.matchAll(pattern)) {
    count += 1;
    if (count === MOST_IN_PIECE) break;
  }
  return count;
}

/** The place that an event is about: the last that began before it or with it. */
export function placeOfSeq(rows: readonly Row[], seq: number): Place | undefined {
  let best: (Place & { since: number }) | undefined;
  for (const row of rows)
    for (const { since, opens } of piecesOf(row))
      if (since <= seq && since >= (best?.since ?? 0)) best = { rowKey: row.key, opens, nth: 0, since };
  return best ?? (rows[0] === undefined ? undefined : { rowKey: rows[0].key, opens: [], nth: 0 });
}

function piecesOf(row: Row): readonly Piece[] {
  let pieces = known.get(row);
  if (pieces === undefined) known.set(row, (pieces = readPieces(row)));
  return pieces;
}

function readPieces(row: Row): Piece[] {
  const piece = (text: string, ...opens: string[]): Piece[] => [{ text, since: row.since, opens }];
  switch (row.type) {
    case 'prompt': {
      const texts = row.message.blocks.map(({ block }) =>
        block.type === 'text' ? block.text : block.type === 'file' ? block.name : '',
      );
      return piece(texts.join('\n'), `prompt ${row.message.id}`);
    }
    case 'text':
      return piece(row.shown.block.text);
    case 'thinking':
      return piece(row.shown.block.thinking, `thinking ${row.shown.id}`);
    case 'call':
      return callPieces(row.call, []);
    case 'calls':
      return row.calls.flatMap((call) => callPieces(call, [`calls ${row.calls[0]!.id}`]));
    case 'result':
      return piece(row.shown.block.content, `result ${row.shown.id}`);
    case 'approval':
      return piece([row.shown.block.title, row.shown.block.reason ?? '', row.shown.block.decision ?? ''].join('\n'));
    case 'plan':
      return piece(row.shown.block.entries.map(({ content }) => content).join('\n'));
    case 'attachment':
      return piece(row.shown.block.type === 'file' ? row.shown.block.name : '');
    case 'notice':
      return piece(row.shown.block.text);
    case 'error':
      return piece([row.shown.block.message, row.shown.block.fix ?? ''].join('\n'));
    case 'turn-end':
      return piece([row.turn.error?.message ?? '', row.turn.error?.fix ?? ''].join('\n'));
  }
}

function callPieces(call: Call, outer: readonly string[]): Piece[] {
  const opens = [...outer, `call ${call.id}`];
  const { block } = call.use;
  const text = [
    block.name,
    block.title ?? '',
    inputText(block.input),
    call.result?.block.content ?? '',
    ...(call.result?.block.diffs ?? []).map(({ path, unified }) => `${path}\n${unified}`),
    ...call.approvals.map(({ title, reason = '' }) => `${title}\n${reason}`),
  ].join('\n');
  return [{ text, since: call.use.since, opens }, ...call.children.flatMap((child) => callPieces(child, opens))];
}

/** The words of an input, however it is nested. */
function inputText(input: unknown): string {
  const texts: string[] = [];
  const left: unknown[] = [input];
  for (let value = left.pop(); value !== undefined && texts.length < 10_000; value = left.pop()) {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'number') texts.push(String(value));
    else if (typeof value === 'object' && value !== null) left.push(...Object.values(value).reverse());
  }
  return texts.join('\n');
}
