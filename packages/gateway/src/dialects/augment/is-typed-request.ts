import { isJsonObject, ownValue } from '../../tools/json-object.ts';
import { isWrappedNode } from './from-typed-node.ts';

/** What a node of the seed's form has beside its type; a real client wraps each of these in an object named after the kind. */
const FIELDS = ['text', 'content', 'tool_result', 'data', 'image', 'image_url', 'url'] as const;

/** Whether a request is in the seed's own form, such as `{"nodes":[{"type":0,"text":"…"}]}`: it is answered in that form. */
export function isTypedRequest(body: unknown): boolean {
  const nodes = ownValue(body, 'nodes');
  return Array.isArray(nodes) && nodes.some(isTypedNode);
}

function isTypedNode(node: unknown): boolean {
  if (!isJsonObject(node) || typeof node['type'] !== 'number') return false;
  return !isWrappedNode(node) && FIELDS.some((name) => ownValue(node, name) !== undefined);
}
