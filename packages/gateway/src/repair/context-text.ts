import { ownValue } from '../tools/json-object.ts';

/** The fields of an Augment chat request that may hold what the user said. */
export interface AugmentRequestText {
  message?: unknown;
  nodes?: unknown;
  chat_history?: unknown;
}

/**
 * What the user said last, for filling in what a model left out: the message, else the text of the nodes, else the last
 * user text of the history, because in a tool round the request itself holds only results.
 */
export function contextText({ message, nodes, chat_history: history }: AugmentRequestText): string {
  const said = textOf(message, nodes);
  if (said !== '' || !Array.isArray(history)) return said;
  for (const exchange of history.toReversed()) {
    const before = textOf(ownValue(exchange, 'request_message'), ownValue(exchange, 'request_nodes'));
    if (before !== '') return before;
  }
  return '';
}

function textOf(message: unknown, nodes: unknown): string {
  if (typeof message === 'string' && message.trim() !== '') return message.trim();
  if (!Array.isArray(nodes)) return '';
  return nodes
    .map((node) => ownValue(ownValue(node, 'text_node'), 'content'))
    .filter((content) => typeof content === 'string')
    .join('\n')
    .trim();
}
