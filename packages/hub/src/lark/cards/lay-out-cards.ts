import type { CardElement, CardJson } from './card-json.ts';
import { isWithinLimits, MOST_TABLES } from './card-limits.ts';
import { cutText, FULL_AT } from './cut-text.ts';
import { DETAILS, type Detail } from './detail.ts';
import { elementId } from './element-id.ts';
import { escapeMarkdown } from './escape-markdown.ts';
import type { Unit } from './message-converter.ts';

/** Elements that a card is full with; calls may still unfold what is inside of them. */
const FULL_COUNT = 120;
/** What an element takes besides its words. */
const AROUND_TEXT = 120;

/** The units of one card, in order. A text may go on in the next one. */
export type CardUnits = Unit[];

/**
 * Puts the pieces of an answer into cards, from the first to the last: a card that is full is followed by another.
 *
 * A piece is in the same card however far the answer has come, so a card that was shown is only added to.
 */
export function layOutCards(units: readonly Unit[]): CardUnits[] {
  const cards: CardUnits[] = [];
  let [card, used, count] = [[] as CardUnits, 0, 0];
  const next = () => {
    if (card.length > 0) cards.push(card);
    [card, used, count] = [[], 0, 0];
  };
  const isFull = () => used >= FULL_AT.paragraph || count >= FULL_COUNT;
  for (const unit of units) {
    if (isFull()) next();
    if (unit.type === 'solid') {
      card.push(unit);
      [used, count] = [used + unit.cost, count + unit.count];
      continue;
    }
    let { text } = unit;
    for (let piece = 1; text !== ''; piece += 1) {
      const cut = cutText(text, used + AROUND_TEXT, (paragraph) => unit.drawn.costOf(paragraph));
      const isWhole = piece === 1 && cut.rest === '';
      const key = piece === 1 ? unit.key : `${unit.key} ${piece}`;
      card.push(isWhole ? unit : { ...unit, key, text: cut.piece, isOpen: unit.isOpen && cut.rest === '' });
      [used, count] = [used + cut.cost + AROUND_TEXT, count + 1];
      text = cut.rest;
      if (text !== '') next();
    }
  }
  next();
  return cards;
}

/** The card of each list of units that was drawn last, by the first of them. */
const known = new WeakMap<Unit, { units: CardUnits; extra: string; card: CardJson }>();

/** The card of some units, with as much detail as Lark takes. Of a long answer only the last card is drawn anew. */
export function drawCard(units: CardUnits, extra: readonly CardElement[] = []): CardJson {
  const old = known.get(units[0]!);
  const more = JSON.stringify(extra);
  const isSame = old?.extra === more && old.units.length === units.length;
  if (isSame && old.units.every((unit, index) => unit === units[index])) return old.card;
  const card = fittingCard(units, extra);
  known.set(units[0]!, { units, extra: more, card });
  return card;
}

function fittingCard(units: CardUnits, extra: readonly CardElement[]): CardJson {
  let card = cardOf([]);
  for (const detail of DETAILS) {
    card = cardOf([...drawUnits(units, detail), ...extra]);
    if (isWithinLimits(card)) break;
  }
  return card;
}

/** A card with these elements. */
export function cardOf(elements: CardElement[], header?: CardJson['header']): CardJson {
  return {
    schema: '2.0',
    config: { update_multi: true, width_mode: 'fill' },
    ...(header !== undefined && { header }),
    body: { elements },
  };
}

function drawUnits(units: CardUnits, detail: Detail): CardElement[] {
  const tables = { left: MOST_TABLES };
  return units.flatMap((unit): CardElement[] => {
    if (unit.type === 'solid') return unit.render(detail);
    const content = detail.isPlain ? escapeMarkdown(unit.text) : unit.drawn.markdownOf(unit.text, tables);
    return content.trim() === '' ? [] : [{ tag: 'markdown', element_id: elementId('t', unit.key), content }];
  });
}
