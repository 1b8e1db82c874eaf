import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DragomanError } from '@dragoman/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import type { z } from 'zod';
import { firstJsonProblem } from '../config/jsonc-document.ts';

/** Teaches the door to read JSON, packed with gzip or not, and to say where a body is broken. */
export function readBodies(door: FastifyInstance): void {
  door.addHook('preParsing', async (request, reply, payload) => unpack(request, reply, payload));
  door.removeAllContentTypeParsers();
  door.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, JSON.parse(text as string));
    } catch {
      done(brokenJson(text as string));
    }
  });
}

/** A body in the shape the route needs. The first mistake is named; nothing of the body is repeated. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const field = issue.path.length === 0 ? 'the body' : issue.path.join('.');
  // What is wrong with a name is said one step further in.
  const { message } = issue.code === 'invalid_key' ? (issue.issues[0] ?? issue) : issue;
  throw new DragomanError('bad-request', `${field}: ${message}`);
}

/**
 * The body as it was before packing. The route's limit holds for what comes out: reading stops there, so a small
 * body that would unpack to gigabytes costs no more than a large one.
 */
function unpack(request: FastifyRequest, reply: FastifyReply, payload: RequestPayload): RequestPayload {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || encoding === 'identity') return payload;
  if (encoding !== 'gzip')
    throw new DragomanError(
      'unsupported-media',
      `The content-encoding ${JSON.stringify(encoding.slice(0, 40))} is not understood; send the body plain or as gzip.`,
    );

  const unpacked: RequestPayload = createGunzip();
  unpacked.receivedEncodedLength = 0;
  payload.on('data', (chunk: Buffer) => {
    unpacked.receivedEncodedLength! += chunk.length;
  });
  pipeline(payload, unpacked as NodeJS.WritableStream & RequestPayload, () => {});
  unpacked.on('error', (error: NodeJS.ErrnoException) => {
    Object.assign(error, { statusCode: 400, message: 'The body is not valid gzip.' });
  });
  // What is left when the limit was passed is never read.
  reply.raw.once('close', () => (unpacked as ReturnType<typeof createGunzip>).destroy());
  return unpacked;
}

function brokenJson(text: string): DragomanError {
  if (text.trim() === '') return new DragomanError('bad-request', 'The body is empty; expected JSON.');
  const problem = firstJsonProblem(text);
  return new DragomanError('bad-request', `The body is not valid JSON${problem === undefined ? '' : `: ${problem}`}.`);
}
