import type { CardChange } from './card-entity.ts';
import { isJsonObject, type JsonObject, textOr } from './json-object.ts';
import { refuse } from './lark-refusal.ts';

/** Changes what the card says about itself; field by field. */
export function mergeSettings(card: JsonObject, settings: JsonObject): CardChange {
  const { config, card_link: link, schema: _, ...others } = settings;
  const isGood = Object.keys(others).length === 0 && (config === undefined || isJsonObject(config));
  if (!isGood) refuse(300122, 'ErrMsg: Failed to update card configuration; ');
  const changed = { ...card };
  if (link !== undefined) changed['card_link'] = link;
  if (config === undefined) return { card: changed };
  changed['config'] = { ...(card['config'] as JsonObject | undefined), ...config };
  const mode = config['streaming_mode'];
  return { card: changed, streaming: typeof mode === 'boolean' ? mode : undefined };
}

/** Puts components before or after another one, or at the end of the card or of a container. */
export function addElements(card: JsonObject, request: Readonly<JsonObject>): JsonObject {
  const { type = 'append', elements } = request;
  const target = textOr(request['target_element_id']);
  if (!Array.isArray(elements) || elements.length === 0) refuse(300315, 'ErrMsg: Failed to add element: no elements; ');
  const body = bodyElements(card);
  if (type === 'append') {
    const list = target === '' ? body : find(card, target)?.element['elements'];
    if (!Array.isArray(list)) refuse(300315, `ErrMsg: Failed to add element: not find elementID: ${target}; `);
    list.push(...elements);
    return card;
  }
  if (type !== 'insert_before' && type !== 'insert_after')
    refuse(10002, 'Your request contains an invalid request parameter, type');
  const found = find(card, target);
  if (found?.list === undefined) refuse(300315, `ErrMsg: Failed to add element: not find elementID: ${target}; `);
  found.list.splice(found.list.indexOf(found.element) + (type === 'insert_after' ? 1 : 0), 0, ...elements);
  return card;
}

/** Puts a new component in the place of one. */
export function replaceElement(card: JsonObject, id: string, element: unknown): JsonObject {
  const found = find(card, id);
  if (found?.list === undefined) refuse(300121, `ErrMsg: Failed to replace element: not find elementID: ${id}; `);
  if (!isJsonObject(element)) refuse(10002, 'Your request contains an invalid request parameter, element');
  found.list[found.list.indexOf(found.element)] = element;
  return card;
}

/** Changes some fields of a component. It stays what it is. */
export function mergeElement(card: JsonObject, id: string, partial: unknown): JsonObject {
  const found = find(card, id);
  if (found === undefined) refuse(300313, `ErrMsg: not find elementID: ${id}; `);
  if (!isJsonObject(partial)) refuse(10002, 'Your request contains an invalid request parameter, partial_element');
  if (partial['tag'] !== undefined && partial['tag'] !== found.element['tag'])
    refuse(300312, 'ErrMsg: Unable to update element tag; ');
  Object.assign(found.element, partial);
  return card;
}

/** Takes a component out, with what is inside. */
export function deleteElement(card: JsonObject, id: string): JsonObject {
  const found = find(card, id);
  if (found?.list === undefined) refuse(300314, `ErrMsg: Failed to delete element: not find elementID: ${id}; `);
  found.list.splice(found.list.indexOf(found.element), 1);
  return card;
}

/** Gives a text another content. */
export function writeText(card: JsonObject, id: string, content: string): JsonObject {
  const found = find(card, id);
  if (found === undefined) refuse(300313, `ErrMsg: not find elementID: ${id}; `);
  if (found.element['tag'] !== 'markdown' && found.element['tag'] !== 'plain_text')
    refuse(300310, 'ErrMsg: Only update text; ');
  found.element['content'] = content;
  return card;
}

interface Found {
  element: JsonObject;
  /** The list it stands in; a text inside of a component stands in none. */
  list: unknown[] | undefined;
}

function find(value: unknown, id: string): Found | undefined {
  const children: [unknown, unknown[] | undefined][] = Array.isArray(value)
    ? value.map((item: unknown) => [item, value])
    : isJsonObject(value)
      ? Object.entries(value).flatMap(([key, item]) => (key === 'value' ? [] : [[item, undefined]]))
      : [];
  for (const [child, list] of children) {
    if (isJsonObject(child) && child['element_id'] === id) return { element: child, list };
    const found = find(child, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function bodyElements(card: JsonObject): unknown[] {
  return (card['body'] as { elements: unknown[] }).elements;
}
