import { StringDecoder } from 'node:string_decoder';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DragomanError, FIRST_MISTAKE, JsonGauge, type JsonLimits } from '@dragoman/protocol';
import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify';
import type { z } from 'zod';
import { firstJsonProblem } from '../config/jsonc-document.ts';
import { readPieces } from './read-pieces.ts';
import { unpackBody } from './unpack-body.ts';

/** No protocol that is spoken here nests this deep; arguments of tools are the deepest. */
const DEPTH = 100;

/**
 * What may be in a body beside long texts. Parsing, checking and answering the most that is allowed takes a fraction of a
 * second. A set of blobs has 200,000 names, an OpenAI embedding 300,000 tokens; the longest conversations of coding
 * agents have some 50,000 fields.
 */
const JSON_LIMITS: Readonly<Record<'api' | 'upload', JsonLimits>> = {
  api: { depth: DEPTH, values: 50_000, fields: 20_000, names: 20_000 },
  upload: { depth: DEPTH, values: 310_000, fields: 100_000, names: 20_000 },
};

/** In a longer text the place of a mistake is not searched for. */
const LONGEST_EXPLAINED = 64 * 1024;

/** Above this a body is parsed in a turn of its own, so that others are answered before and after. */
const LARGE_BYTES = 256 * 1024;

/** The longest part of a message that the sender has a say in. */
const LONGEST_MESSAGE = 500;

/** Teaches the door to read JSON, packed with gzip or not, and to say where a body is broken. */
export function readBodies(door: FastifyInstance): void {
  door.addHook('preParsing', async (request, reply, payload) => unpackBody(request, reply, payload));
  door.removeAllContentTypeParsers();
  door.addContentTypeParser('application/json', readJson);
}

/** A body in the shape the route needs. The first mistake is named and ends the search; nothing of the body is repeated. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body, FIRST_MISTAKE);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const field = issue.path.length === 0 ? 'the body' : issue.path.join('.');
  // What is wrong with a name is said one step further in.
  const { message } = issue.code === 'invalid_key' ? (issue.issues[0] ?? issue) : issue;
  throw new DragomanError('bad-request', `${field}: ${message}`.slice(0, LONGEST_MESSAGE));
}

async function readJson(request: FastifyRequest, payload: RequestPayload): Promise<unknown> {
  const text = await readText(request, payload);
  const isLarge = request.bodyBytes > LARGE_BYTES;
  if (isLarge) await nextTurn();
  try {
    return JSON.parse(text);
  } catch {
    throw brokenJson(text);
  } finally {
    if (isLarge) await nextTurn();
  }
}

/** The whole body, within the limits of its route. It is measured and made text while it arrives, piece by piece. */
async function readText(request: FastifyRequest, payload: RequestPayload): Promise<string> {
  const limits = JSON_LIMITS[request.routeOptions.config.body ?? 'api'];
  const gauge = new JsonGauge(limits);
  const decoder = new StringDecoder('utf8');
  let text = '';
  await readPieces(request, payload, (chunk) => {
    const passed = gauge.take(chunk);
    if (passed !== undefined) throw tooMuchJson(passed, limits[passed]);
    text += decoder.write(chunk);
  });
  return text + decoder.end();
}

const PASSED: Readonly<Record<keyof JsonLimits, (limit: number) => string>> = {
  depth: (limit) => `is nested more than ${limit} levels deep`,
  values: (limit) => `holds more than ${limit} values`,
  fields: (limit) => `holds more than ${limit} fields`,
  names: (limit) => `holds an object with more than ${limit} fields`,
};

function tooMuchJson(passed: keyof JsonLimits, limit: number): DragomanError {
  const code = passed === 'depth' ? 'bad-request' : 'too-large';
  return new DragomanError(code, `The body ${PASSED[passed](limit)}, the limit for this request.`);
}

function brokenJson(text: string): DragomanError {
  if (text.length > LONGEST_EXPLAINED) return new DragomanError('bad-request', 'The body is not valid JSON.');
  if (text.trim() === '') return new DragomanError('bad-request', 'The body is empty; expected JSON.');
  const problem = firstJsonProblem(text);
  return new DragomanError('bad-request', `The body is not valid JSON${problem === undefined ? '' : `: ${problem}`}.`);
}
