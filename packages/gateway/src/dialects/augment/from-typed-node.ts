/**
 * A node of the seed's form, as the node a real client would send: 0 text, 1 tool result, 2 image, 3 image by address or
 * GIF, 4 WebP.
 */
export function fromTypedNode(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (isWrappedNode(node)) return node;
  const { type, ...rest } = node as { type?: unknown } & Record<string, unknown>;
  const payload = {
    ...rest,
    ...(typeof rest['data'] === 'object' && rest['data'] !== null ? rest['data'] : {}),
  } as Record<string, unknown>;
  switch (type) {
    case 0:
      return { text_node: { content: firstText(payload['text'], payload['content']) } };
    case 1: {
      const result = (payload['tool_result'] ?? payload) as Record<string, unknown>;
      const content = result['content'] ?? result['output'];
      return {
        tool_result_node: {
          tool_use_id: firstText(result['tool_use_id'], result['id']),
          content: typeof content === 'string' ? content : JSON.stringify(content ?? ''),
          is_error: result['is_error'] === true,
        },
      };
    }
    case 2:
      return imageNode(payload, 1);
    case 3:
      return imageNode(payload, 3);
    case 4:
      return imageNode(payload, 4);
    default:
      return node;
  }
}

const FORMATS: Readonly<Record<string, number>> = { 'image/png': 1, 'image/jpeg': 2, 'image/gif': 3, 'image/webp': 4 };

function imageNode(payload: Record<string, unknown>, format: number): unknown {
  const image = (
    typeof payload['image'] === 'object' && payload['image'] !== null ? payload['image'] : payload
  ) as Record<string, unknown>;
  const named = FORMATS[firstText(image['media_type'], image['mediaType'])];
  return {
    image_node: {
      image_data: firstText(image['image_url'], image['url'], image['image_data'], image['data'], payload['image']),
      format: named ?? format,
    },
  };
}

/** A node of a real client: what it holds stands in an object that is named after its kind. */
export function isWrappedNode(node: object): boolean {
  return Object.keys(node).some((name) => name.endsWith('_node'));
}

/** The first of the values that is text. */
export function firstText(...values: unknown[]): string {
  return values.find((value): value is string => typeof value === 'string') ?? '';
}
