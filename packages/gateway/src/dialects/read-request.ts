import { parseBody } from '@dragoman/server';
import { z } from 'zod';
import type { ClientRequest, DecodedRequest } from './dialect.ts';

/** What every body must have right, wherever it goes. */
const routedSchema = z.object({ model: z.string().nullish(), stream: z.boolean().nullish() });

/** A request that names its model and its way of answering in its body. The rest is read when a target needs it. */
export function readRequest<Context>(
  body: unknown,
  decode: (body: unknown) => DecodedRequest<Context>,
): ClientRequest<Context> {
  const { model, stream } = parseBody(routedSchema, body);
  return { asked: model ?? '', isStreamed: stream === true, decode: () => decode(body) };
}
