import { z } from 'zod';

/** The published form of one place of the configuration, as far as it is read here. */
export interface PublishedNode {
  $ref?: string;
  type?: string;
  const?: unknown;
  /** A secret. */
  writeOnly?: boolean;
  properties?: Record<string, PublishedNode>;
  additionalProperties?: PublishedNode | boolean;
  items?: PublishedNode | boolean;
  prefixItems?: PublishedNode[];
  anyOf?: PublishedNode[];
  oneOf?: PublishedNode[];
  allOf?: PublishedNode[];
}

interface Published extends PublishedNode {
  $defs?: Record<string, PublishedNode>;
}

/** Making it takes a moment. */
const PUBLISHED = new WeakMap<z.ZodType, Published>();

/** What the published form of a schema says of a place: every form it may have there, nothing where it may have none. */
export function publishedAt(schema: z.ZodType, path: readonly PropertyKey[]): PublishedNode[] {
  let root = PUBLISHED.get(schema);
  if (root === undefined) {
    root = z.toJSONSchema(schema, { io: 'input' }) as Published;
    PUBLISHED.set(schema, root);
  }
  const { $defs = {} } = root;
  const open = (node: PublishedNode): PublishedNode[] => {
    const named = node.$ref === undefined ? undefined : $defs[node.$ref.replace('#/$defs/', '')];
    const forms = [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])];
    return [node, ...(named === undefined ? [] : open(named)), ...forms.flatMap(open)];
  };

  let nodes = open(root);
  for (const key of path) nodes = nodes.flatMap((node) => step(node, key)).flatMap(open);
  return nodes;
}

function step(node: PublishedNode, key: PropertyKey): PublishedNode[] {
  const { properties = {}, prefixItems = [] } = node;
  const own = Object.hasOwn(properties, key) ? properties[String(key)] : prefixItems[Number(key)];
  if (own !== undefined) return [own];
  const any = typeof key === 'number' ? node.items : node.additionalProperties;
  if (any === true) return [{}];
  return typeof any === 'object' ? [any] : [];
}
