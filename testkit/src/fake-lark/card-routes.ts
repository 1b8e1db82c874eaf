import { ok } from './app-routes.ts';
import {
  addCard,
  type CardChange,
  type CardEntity,
  changeCard,
  isDeclaredStreaming,
  isStreaming,
} from './card-entity.ts';
import { checkedCard } from './checked-card.ts';
import { addElements, deleteElement, mergeElement, mergeSettings, replaceElement, writeText } from './edit-card.ts';
import { isJsonObject, type JsonObject, parseJson, parseObject } from './json-object.ts';
import type { LarkCall } from './lark-calls.ts';
import { refuse } from './lark-refusal.ts';
import type { LarkRoute } from './lark-server.ts';
import type { LarkState } from './lark-state.ts';

const SCOPES = ['cardkit:card:write'];

/** CardKit: cards that are made first, sent by their id, and changed in pieces. */
export function cardRoutes(state: LarkState): LarkRoute[] {
  const change = (
    endpoint: string,
    run: (card: JsonObject, call: LarkCall, entity: CardEntity) => CardChange,
  ): LarkRoute => ({
    endpoint,
    scopes: SCOPES,
    run(call) {
      changeCard(state, call.params['card_id']!, call.body, (card, entity) => run(card, call, entity));
      return ok();
    },
  });
  return [
    {
      endpoint: 'POST cardkit/v1/cards',
      scopes: SCOPES,
      run: ({ body }) => ok({ card_id: addCard(state, checkedCard(state, cardOf(body))).cardId }),
    },
    {
      endpoint: 'POST cardkit/v1/cards/id_convert',
      scopes: [...SCOPES, 'cardkit:card:read'],
      run({ body }) {
        const cardId = state.messages.get(String(body['message_id']))?.cardId;
        if (cardId === undefined) refuse(200740, 'ErrMsg: The card entity does not exist; ');
        return ok({ card_id: cardId });
      },
    },
    change('PUT cardkit/v1/cards/:card_id', (_, { body }) => {
      if (!isJsonObject(body['card'])) refuse(10002, 'Your request contains an invalid request parameter, card');
      const card = cardOf(body['card']);
      return { card, streaming: isDeclaredStreaming(card) };
    }),
    change('PATCH cardkit/v1/cards/:card_id/settings', (card, { body }) => {
      const settings = parseObject(body['settings']);
      if (settings === undefined) refuse(10002, 'Your request contains an invalid request parameter, settings');
      return mergeSettings(card, settings);
    }),
    change('POST cardkit/v1/cards/:card_id/batch_update', (card, { body }) => {
      const actions = parseJson(body['actions']);
      if (!Array.isArray(actions) || actions.length === 0)
        refuse(10002, 'Your request contains an invalid request parameter, actions');
      return actions.reduce<CardChange>(
        (before, action: unknown) => {
          const after = act(before.card, action);
          return { card: after.card, streaming: after.streaming ?? before.streaming };
        },
        { card },
      );
    }),
    change('POST cardkit/v1/cards/:card_id/elements', (card, { body }) => ({
      card: addElements(card, { ...body, elements: parseJson(body['elements']) }),
    })),
    change('PUT cardkit/v1/cards/:card_id/elements/:element_id', (card, { body, params }) => ({
      card: replaceElement(card, params['element_id']!, parseJson(body['element'])),
    })),
    change('PATCH cardkit/v1/cards/:card_id/elements/:element_id', (card, { body, params }) => ({
      card: mergeElement(card, params['element_id']!, parseJson(body['partial_element'])),
    })),
    change('DELETE cardkit/v1/cards/:card_id/elements/:element_id', (card, { params }) => ({
      card: deleteElement(card, params['element_id']!),
    })),
    change('PUT cardkit/v1/cards/:card_id/elements/:element_id/content', (card, { body, params }, entity) => {
      const { content } = body;
      if (typeof content !== 'string' || content.length === 0 || content.length > 100_000) {
        refuse(10002, 'Your request contains an invalid request parameter, content');
      }
      refuseClosed(state, entity);
      return { card: writeText(card, params['element_id']!, content) };
    }),
  ];
}

/** Text is streamed only while the mode is open. That it was closed for idleness is said once. */
function refuseClosed(state: LarkState, entity: CardEntity): void {
  if (isStreaming(state, entity)) return;
  const wasIdle = entity.stream === 'idle';
  if (entity.stream !== undefined) entity.stream = 'closed';
  if (wasIdle) refuse(200850, 'ErrMsg: Card streaming timeout; ');
  refuse(300309, 'ErrMsg: streaming mode is closed; ');
}

function act(card: JsonObject, action: unknown): CardChange {
  const params = isJsonObject(action) ? action['params'] : undefined;
  if (!isJsonObject(action) || !isJsonObject(params))
    refuse(10002, 'Your request contains an invalid request parameter, actions');
  switch (action['action']) {
    case 'partial_update_setting':
      return mergeSettings(card, isJsonObject(params['settings']) ? params['settings'] : {});
    case 'add_elements':
      return { card: addElements(card, params) };
    case 'delete_elements': {
      const ids: unknown[] = Array.isArray(params['element_ids']) ? params['element_ids'] : [];
      return { card: ids.reduce<JsonObject>((before, id) => deleteElement(before, String(id)), card) };
    }
    case 'partial_update_element':
      return { card: mergeElement(card, String(params['element_id']), params['partial_element']) };
    case 'update_element':
      return { card: replaceElement(card, String(params['element_id']), params['element']) };
    default:
      refuse(10002, `Your request contains an invalid request parameter, action ${String(action['action'])}`);
  }
}

function cardOf(body: Readonly<JsonObject>): JsonObject {
  if (body['type'] !== 'card_json') refuse(10002, 'Your request contains an invalid request parameter, type');
  const card = parseObject(body['data']);
  if (card === undefined) refuse(200220, 'ErrMsg: Failed to generate card content: data is no JSON; ');
  return card;
}
