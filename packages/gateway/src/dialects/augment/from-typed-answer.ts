import { isJsonObject, type JsonObject } from '../../tools/json-object.ts';
import { firstText } from './from-typed-node.ts';
import { RESPONSE_NODE } from './wire.ts';

/**
 * The frames of an answer in the seed's form, as the nodes a real client would remember. Text came in pieces, one frame
 * each, and is one text again.
 */
export function fromTypedAnswer(frames: readonly unknown[]): unknown[] {
  const nodes: JsonObject[] = [];
  for (const frame of frames) {
    const node = toNode(frame);
    const last = nodes.at(-1);
    if (node?.['type'] === RESPONSE_NODE.RAW_RESPONSE && last?.['type'] === RESPONSE_NODE.RAW_RESPONSE)
      nodes[nodes.length - 1] = { ...last, content: `${String(last['content'])}${String(node['content'])}` };
    else if (node !== undefined) nodes.push(node);
  }
  return nodes;
}

/** Nothing for frames that carry no part of the answer, such as the one that ends it. */
function toNode(frame: unknown): JsonObject | undefined {
  if (!isJsonObject(frame)) return undefined;
  const payload = { ...frame, ...(isJsonObject(frame['data']) ? frame['data'] : {}) } as JsonObject;
  switch (frame['type']) {
    case RESPONSE_NODE.RAW_RESPONSE:
      return { type: RESPONSE_NODE.RAW_RESPONSE, content: firstText(payload['text'], payload['content']) };
    case RESPONSE_NODE.TOOL_USE: {
      const use = isJsonObject(payload['tool_use']) ? payload['tool_use'] : payload;
      return {
        type: RESPONSE_NODE.TOOL_USE,
        tool_use: {
          tool_use_id: firstText(use['id'], use['tool_use_id']),
          tool_name: firstText(use['name'], use['tool_name']),
          input_json: isJsonObject(use['input'])
            ? JSON.stringify(use['input'])
            : firstText(use['input_json'], use['input']),
        },
      };
    }
    default:
      return undefined;
  }
}
