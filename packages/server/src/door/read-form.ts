import { DragomanError } from '@dragoman/protocol';
import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify';
import { Form, parseForm } from './parse-form.ts';
import { readPieces } from './read-pieces.ts';

const FIRST_BYTES = 64 * 1024;

/** Teaches the routes of a plugin to read forms. Elsewhere a form is refused by its type. */
export function readForms(door: FastifyInstance): void {
  door.addContentTypeParser('multipart/form-data', readForm);
}

/** The form that was sent to a route that takes one. */
export function formOf({ body }: FastifyRequest): Form {
  if (body instanceof Form) return body;
  throw new DragomanError(
    'unsupported-media',
    'This request needs a form; send it with "content-type: multipart/form-data".',
  );
}

/** The bytes are copied together as they come: whoever sends them one by one makes no list of millions. */
async function readForm(request: FastifyRequest, payload: RequestPayload): Promise<Form> {
  let bytes = Buffer.allocUnsafe(FIRST_BYTES);
  let length = 0;
  await readPieces(request, payload, (chunk) => {
    if (length + chunk.length > bytes.length)
      bytes = Buffer.concat([bytes.subarray(0, length)], Math.max(bytes.length * 2, length + chunk.length));
    length += chunk.copy(bytes, length);
  });
  return parseForm(bytes.subarray(0, length), request.headers['content-type'] ?? '');
}
