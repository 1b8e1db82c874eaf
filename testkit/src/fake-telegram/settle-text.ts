import { findEntities } from './find-entities.ts';
import type { ParsedText } from './parse-markdown-v2.ts';
import { sortEntities } from './sort-entities.ts';
import type { TelegramEntity } from './telegram-wire.ts';

/** A text as it stands in a message. */
export interface SettledText extends ParsedText {
  /** What Telegram found by itself. */
  found: TelegramEntity[];
}

/** How many entities a message keeps. */
const ENTITY_LIMIT = 100;

const STYLES: ReadonlySet<string> = new Set(['bold', 'italic', 'underline', 'strikethrough', 'spoiler']);
const QUOTES: ReadonlySet<string> = new Set(['blockquote', 'expandable_blockquote']);
const CODES: ReadonlySet<string> = new Set(['pre', 'code', 'date_time']);

/**
 * What Telegram makes of a text before anybody sees it: characters that it does not show are taken out, the ends are
 * trimmed, and entities are brought into an order in which they only nest.
 */
export function settleText({ text, entities }: ParsedText): SettledText {
  const cleaned = cleanText(text, nestEntities(entities));
  const trimmed = trimText(cleaned.text, nestEntities(cleaned.entities));
  const found = findEntities(trimmed.text).filter(
    (one) => !trimmed.entities.some((entity) => isWhole(entity) && overlaps(entity, one)),
  );
  return { ...trimmed, entities: trimmed.entities.slice(0, ENTITY_LIMIT), found };
}

/** Control characters become blanks; carriage returns, marks that turn the direction and lines over text go. */
function cleanText(text: string, entities: readonly TelegramEntity[]): ParsedText {
  const gone: number[] = [];
  let cleaned = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (isUnshown(char)) gone.push(at);
    else cleaned += char < ' ' && char !== '\n' ? ' ' : char;
  }
  if (gone.length === 0) return { text: cleaned, entities: [...entities] };
  const before = (offset: number) => gone.filter((at) => at < offset).length;
  return {
    text: cleaned,
    entities: entities.map((entity) => {
      const offset = entity.offset - before(entity.offset);
      const end = entity.offset + entity.length;
      return { ...entity, offset, length: end - before(end) - offset };
    }),
  };
}

/** Combining marks are written one by one: in a class of characters they would join what stands before them. */
function isUnshown(char: string): boolean {
  return char === '\r' || (char >= '\u2028' && char <= '\u202e') || ['\u030a', '\u0333', '\u033f'].includes(char);
}

/** Blanks and empty lines at both ends; at the beginning only up to the first entity. */
function trimText(text: string, entities: readonly TelegramEntity[]): ParsedText {
  const end = text.replace(/[ \n]+$/, '').length;
  const kept = entities
    .filter((entity) => entity.offset < end)
    .map((entity) => ({ ...entity, length: Math.min(entity.length, end - entity.offset) }));
  const blanks = /^[ \n]*/.exec(text.slice(0, end))![0].length;
  const begin = Math.min(blanks, ...kept.map((entity) => entity.offset));
  return {
    text: text.slice(begin, end),
    entities: sortEntities(kept.map((entity) => ({ ...entity, offset: entity.offset - begin }))),
  };
}

/** Entities that can stand together: code has no other formatting, links and quotations have no second one in them. */
function nestEntities(entities: readonly TelegramEntity[]): TelegramEntity[] {
  const sorted = sortEntities(entities.filter((entity) => entity.length > 0));
  if (areNested(sorted)) return sorted;
  const quotes = withoutOverlaps(sorted.filter((entity) => QUOTES.has(entity.type)));
  const wholes = withoutOverlaps(
    sorted.filter((entity) => !STYLES.has(entity.type) && !QUOTES.has(entity.type)),
  ).filter((entity) => quotes.every((quote) => !overlaps(quote, entity) || contains(quote, entity)));
  const standing = [...wholes, ...quotes];
  return sortEntities([...standing, ...cutStyles(sorted, standing)]);
}

function areNested(sorted: readonly TelegramEntity[]): boolean {
  const around: TelegramEntity[] = [];
  const lastEnds = new Map<string, number>();
  for (const entity of sorted) {
    while (around.length > 0 && endOf(around.at(-1)!) <= entity.offset) around.pop();
    if (around.some((outer) => !contains(outer, entity))) return false;
    if (around.some((outer) => outer.type === entity.type || CODES.has(outer.type))) return false;
    if (CODES.has(entity.type) && around.some((outer) => !QUOTES.has(outer.type))) return false;
    if (!STYLES.has(entity.type) && around.some((outer) => isWhole(outer))) return false;
    if (QUOTES.has(entity.type) && around.some((outer) => !STYLES.has(outer.type))) return false;
    // Two of one style that touch are one.
    if (STYLES.has(entity.type) && lastEnds.get(entity.type) === entity.offset) return false;
    lastEnds.set(entity.type, endOf(entity));
    around.push(entity);
  }
  return true;
}

/** Styles, joined where they touch, cut at the ends of what they may not cross, and gone inside code. */
function cutStyles(entities: readonly TelegramEntity[], standing: readonly TelegramEntity[]): TelegramEntity[] {
  const cuts = standing.flatMap((entity) => [entity.offset, endOf(entity)]);
  const pieces: TelegramEntity[] = [];
  for (const type of STYLES as ReadonlySet<TelegramEntity['type']>) {
    for (const run of joined(entities.filter((entity) => entity.type === type))) {
      const edges = [run.offset, ...cuts.filter((cut) => cut > run.offset && cut < endOf(run)), endOf(run)];
      const ordered = [...new Set(edges)].toSorted((a, b) => a - b);
      for (const [index, offset] of ordered.slice(0, -1).entries()) {
        const piece = { type, offset, length: ordered[index + 1]! - offset };
        if (!standing.some((entity) => CODES.has(entity.type) && contains(entity, piece))) pieces.push(piece);
      }
    }
  }
  return pieces;
}

function joined(sorted: readonly TelegramEntity[]): TelegramEntity[] {
  const runs: TelegramEntity[] = [];
  for (const entity of sorted) {
    const last = runs.at(-1);
    if (last === undefined || endOf(last) < entity.offset) runs.push({ ...entity });
    else last.length = Math.max(endOf(last), endOf(entity)) - last.offset;
  }
  return runs;
}

function withoutOverlaps(sorted: readonly TelegramEntity[]): TelegramEntity[] {
  const kept: TelegramEntity[] = [];
  for (const entity of sorted) if (entity.offset >= (kept.length > 0 ? endOf(kept.at(-1)!) : 0)) kept.push(entity);
  return kept;
}

/** An entity in which no other one of that sort may be. */
function isWhole(entity: TelegramEntity): boolean {
  return !STYLES.has(entity.type) && !QUOTES.has(entity.type);
}

function endOf(entity: TelegramEntity): number {
  return entity.offset + entity.length;
}

function contains(outer: TelegramEntity, inner: TelegramEntity): boolean {
  return outer.offset <= inner.offset && endOf(inner) <= endOf(outer);
}

function overlaps(one: TelegramEntity, other: TelegramEntity): boolean {
  return one.offset < endOf(other) && other.offset < endOf(one);
}
