import { DragomanError } from '@dragoman/protocol';
import { parseBody } from '@dragoman/server';
import { z } from 'zod';

/** Older clients say `name` in some calls. */
const namedSchema = z.looseObject({ model: z.string().nullish(), name: z.string().nullish() });

/** The model that a request names. One that names none is refused in the words that clients know from Ollama. */
export function requiredModel(body: unknown, { mayBeName = false } = {}): string {
  const { model, name } = parseBody(namedSchema, body);
  const asked = model || (mayBeName && name) || '';
  if (asked === '') throw new DragomanError('bad-request', 'model is required');
  return asked;
}
