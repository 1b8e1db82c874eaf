import type { MachineAway, SessionPart, SessionView } from '@dragoman/protocol';
import { awayText } from '../../channels/away-words.ts';
import type { Scene } from '../../channels/channel.ts';
import { small } from './call-panel.ts';
import type { MarkdownElement } from './card-json.ts';
import { type CardWords, WORDS } from './card-words.ts';
import { cleanLine } from './clean-text.ts';
import { elementId } from './element-id.ts';
import { escapeMarkdown } from './escape-markdown.ts';
import type { LarkBody } from './lark-body.ts';
import { type CardUnits, cardOf, drawCard, layOutCards } from './lay-out-cards.ts';
import { convertRows } from './message-converter.ts';

/** A card with its state. */
export type CardBody = Extract<LarkBody, { type: 'card' }>;

/**
 * The cards of one answer as it is now: one, and more only where it does not fit.
 *
 * Nothing is kept of the cards shown before: they are made from the view, so pieces and whole blocks give the same cards,
 * however they came.
 */
export function cardsOf(part: SessionPart, scene: Scene): CardBody[] {
  const words = WORDS[scene.language];
  const isRunning = runs(part, scene.view);
  const units = convertRows(part, { words, link: scene.link, ownPrompts: scene.ownPrompts });
  const cards = layOutCards(units);
  const working = stateElement(part, scene, words);
  if (cards.length === 0)
    return isRunning ? [{ type: 'card', card: cardOf([working]), summary: words.working, isStreaming: true }] : [];
  return cards.flatMap((card, index): CardBody[] => {
    const isLast = index === cards.length - 1;
    const drawn = drawCard(card, isRunning && isLast ? [working] : []);
    if (drawn.body.elements.length === 0) return [];
    return [
      knownBody({
        type: 'card',
        card: drawn,
        summary: summaryOf(card) ?? (isRunning ? words.working : words.turnEnd[part.turn?.reason ?? 'done']),
        isStreaming: isRunning && (isLast || card.some(({ isOpen }) => isOpen)),
      }),
    ];
  });
}

/** A card that says the same is the same object, so that it need not be compared word by word. */
const known = new WeakMap<CardBody['card'], CardBody>();

function knownBody(body: CardBody): CardBody {
  const old = known.get(body.card);
  if (old?.summary === body.summary && old.isStreaming === body.isStreaming) return old;
  known.set(body.card, body);
  return body;
}

/** What goes on while the answer is not over; the only thing of it that is not a row. */
function stateElement({ key }: SessionPart, { view, away, language }: Scene, words: CardWords): MarkdownElement {
  const isWaiting = view.approvals.some(({ decided }) => decided === undefined);
  const colour = isWaiting || away !== undefined ? 'orange' : 'grey';
  const text =
    away !== undefined ? awayLine(away, language) : isWaiting ? `✋ ${words.waiting}` : `⏳ ${words.working}`;
  return { ...small(`<font color='${colour}'>${text}</font>`), element_id: elementId('w', key) };
}

function awayLine(away: MachineAway, language: Scene['language']): string {
  const text = awayText({ ...away, machine: cleanLine(away.machine, 60) }, language, { isRunning: true });
  return `⚠️ ${escapeMarkdown(text)}`;
}

/** Whether the turn that the part belongs to still goes on. */
function runs({ turnId, rows }: SessionPart, { turn }: SessionView): boolean {
  if (turnId === undefined) return rows.some((row) => 'shown' in row && row.type !== 'approval' && row.shown.isOpen);
  return turn?.id === turnId && turn.finishedAt === undefined;
}

/** The first words of the last text, for the list of chats. */
function summaryOf(card: CardUnits): string | undefined {
  const text = card.findLast((unit) => unit.type === 'text')?.text ?? '';
  const line = text.split('\n', 20).find((words) => /[\p{L}\p{N}]/u.test(words) && !/^\s*(?:```|~~~)/.test(words));
  const plain = cleanLine((line ?? '').replaceAll(/[*_~`#>|[\]]/g, ''), 80);
  return plain === '' ? undefined : plain;
}
