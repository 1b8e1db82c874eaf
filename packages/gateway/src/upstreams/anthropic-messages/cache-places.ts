import { isJsonObject, type JsonObject } from '../../tools/json-object.ts';

/** A block of a Messages request that may hold a cache mark, in the order in which the service reads them. */
export interface Place {
  field: 'tools' | 'system' | 'messages';
  /** Of a message. */
  role: string | undefined;
  /** The index in its field, and in its message. */
  at: number;
  part: number;
  block: JsonObject;
}

const MARK = { type: 'ephemeral' };

/** All of them. Text that stands for a list is its one block; what cannot be understood is left out. */
export function placesIn(body: JsonObject): Place[] {
  const places: Place[] = [];
  const add = (field: Place['field'], role: string | undefined, at: number, part: number, block: unknown) => {
    if (isJsonObject(block)) places.push({ field, role, at, part, block });
  };
  for (const [at, tool] of listOf(body['tools']).entries()) add('tools', undefined, at, 0, tool);
  for (const [part, block] of blocksOf(body['system']).entries()) add('system', undefined, 0, part, block);
  for (const [at, message] of listOf(body['messages']).entries()) {
    if (!isJsonObject(message)) continue;
    const blocks = blocksOf(message['content']);
    for (let part = 0; part < blocks.length; part++) add('messages', String(message['role']), at, part, blocks[part]);
  }
  return places;
}

/** The indexes of those with a mark, one for each; what a tool returned may hold marks of its own. */
export function markedPlaces(places: readonly Place[]): number[] {
  return places.flatMap(({ block }, index) => {
    const inside = block['type'] === 'tool_result' ? listOf(block['content']) : [];
    return [block, ...inside]
      .filter((part) => isJsonObject(part) && isJsonObject(part['cache_control']))
      .map(() => index);
  });
}

/** The request with marks at some places, and without those of others. Whatever is not touched is the same object. */
export function withMarks(
  body: JsonObject,
  places: readonly Place[],
  marked: readonly number[],
  unmarked: ReadonlySet<number>,
): JsonObject {
  if (marked.length === 0 && unmarked.size === 0) return body;
  const sent: Record<string, unknown> = { ...body };
  const put = (index: number, block: JsonObject) => {
    const { field, at, part } = places[index]!;
    if (field === 'tools') sent['tools'] = listOf(sent['tools']).with(at, block);
    else if (field === 'system') sent['system'] = blocksOf(sent['system']).with(part, block);
    else {
      const message = listOf(sent['messages'])[at] as JsonObject;
      const content = blocksOf(message['content']).with(part, block);
      sent['messages'] = listOf(sent['messages']).with(at, { ...message, content });
    }
  };
  for (const index of marked) put(index, { ...places[index]!.block, cache_control: MARK });
  for (const index of unmarked) put(index, withoutMarks(places[index]!.block));
  return sent;
}

function withoutMarks(marked: JsonObject): JsonObject {
  const block = Object.fromEntries(Object.entries(marked).filter(([name]) => name !== 'cache_control'));
  if (block['type'] !== 'tool_result' || !Array.isArray(block['content'])) return block;
  return { ...block, content: block['content'].map((part) => (isJsonObject(part) ? withoutMarks(part) : part)) };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function blocksOf(content: unknown): readonly unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
}
