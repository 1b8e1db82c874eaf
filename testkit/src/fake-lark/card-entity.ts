import type { JsonObject } from './json-object.ts';
import { checkedCard } from './checked-card.ts';
import { refuse } from './lark-refusal.ts';
import type { LarkState } from './lark-state.ts';

/** A card that the platform keeps and that the bot changes by its id. */
export interface CardEntity {
  cardId: string;
  card: JsonObject;
  /** Of the last operation. */
  sequence: number;
  createdAt: number;
  /** Since when streaming mode is open; `idle` and `closed` when the platform closed it, `undefined` when the bot did. */
  stream: number | 'idle' | 'closed' | undefined;
  uuids: Set<string>;
  /** The message it was sent as. */
  messageId: string | undefined;
  /** Presses that wait for their answer: the card cannot be changed meanwhile. */
  presses: number;
  /** How often it was changed. */
  changes: number;
}

/** A card after an operation, and what that said about streaming mode. */
export interface CardChange {
  card: JsonObject;
  streaming?: boolean | undefined;
}

/** After this time streaming mode is closed, whoever is still writing. */
const STREAM_MS = 600_000;
const CARD_MS = 14 * 86_400_000;

/** Makes an entity of a card that was checked. */
export function addCard(state: LarkState, card: JsonObject): CardEntity {
  const entity: CardEntity = {
    cardId: state.nextId(),
    card,
    sequence: 0,
    createdAt: state.now(),
    stream: isDeclaredStreaming(card) ? state.now() : undefined,
    uuids: new Set(),
    messageId: undefined,
    presses: 0,
    changes: 0,
  };
  state.cards.set(entity.cardId, entity);
  return entity;
}

/**
 * One operation on a card: all or nothing, in the order of `sequence`, and once per `uuid`.
 *
 * Whether a repeated `uuid` is done again is not left open: the platform says that it conflicts.
 */
export function changeCard(
  state: LarkState,
  cardId: string,
  request: { sequence?: unknown; uuid?: unknown },
  change: (card: JsonObject, entity: CardEntity) => CardChange,
): void {
  const entity = findCard(state, cardId);
  const { sequence, uuid } = request;
  if (typeof sequence !== 'number' || !Number.isInteger(sequence) || sequence > 2_147_483_647) {
    refuse(10002, 'Your request contains an invalid request parameter, sequence');
  }
  if (uuid !== undefined && (typeof uuid !== 'string' || uuid.length === 0 || uuid.length > 64)) {
    refuse(10002, 'Your request contains an invalid request parameter, uuid');
  }
  if (entity.presses > 0) refuse(200810, 'ErrMsg: The card is in an ongoing interaction and cannot be updated; ');
  if (typeof uuid === 'string' && entity.uuids.has(uuid)) refuse(200770, 'ErrMsg: UUID conflict; ');
  if (sequence <= entity.sequence) refuse(300317, 'ErrMsg: sequence number compare failed; ');
  const { card, streaming } = change(structuredClone(entity.card), entity);
  entity.card = checkedCard(state, card);
  entity.sequence = sequence;
  entity.changes += 1;
  if (typeof uuid === 'string') entity.uuids.add(uuid);
  // The ten minutes count from the opening: to ask for what is open already does not lengthen them.
  if (streaming === false) entity.stream = undefined;
  else if (streaming === true && !isStreaming(state, entity)) entity.stream = state.now();
}

/** The entity, if the bot can still change it. */
function findCard(state: LarkState, cardId: string): CardEntity {
  const entity = state.cards.get(cardId);
  if (entity === undefined) refuse(200740, 'ErrMsg: The card entity does not exist; ');
  if (state.now() - entity.createdAt >= CARD_MS) refuse(200750, 'ErrMsg: The card entity has expired; ');
  return entity;
}

/** Whether text can be streamed to it now. */
export function isStreaming(state: LarkState, entity: CardEntity): boolean {
  return typeof entity.stream === 'number' && state.now() - entity.stream < STREAM_MS;
}

/** What the card itself says; it goes on saying so after the platform closed the mode. */
export function isDeclaredStreaming(card: JsonObject): boolean {
  return (card['config'] as JsonObject | undefined)?.['streaming_mode'] === true;
}
