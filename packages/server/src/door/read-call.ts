import { type ApiCall, DragomanError } from '@dragoman/protocol';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { parseBody } from './read-body.ts';
import { callerOf } from './route-config.ts';

type Output<Call, Part extends string> =
  Call extends Record<Part, infer Schema extends z.ZodType> ? z.output<Schema> : undefined;

/** A request after the door: who asks, and what, in the shapes of the contract. */
export interface ReadCall<Call extends ApiCall> {
  caller: Caller;
  params: Output<Call, 'params'>;
  query: Output<Call, 'query'>;
  body: Output<Call, 'body'>;
}

/** What a call that takes no body may be sent all the same. */
const NO_BODY = z.strictObject({}).nullish();

/** Reads a request as one of a table's calls. The first mistake is named with its place. */
export function readCall<Calls extends Readonly<Record<string, ApiCall>>, Name extends keyof Calls & string>(
  calls: Calls,
  name: Name,
  request: FastifyRequest,
): ReadCall<Calls[Name]> {
  const shapes: ApiCall = calls[name]!;
  const read = (schema: z.ZodType | undefined, value: unknown) => {
    if (schema === undefined) return undefined;
    refuseStrange(value, '');
    return parseBody(schema, value);
  };
  return {
    caller: callerOf(request),
    params: read(shapes.params, request.params),
    query: read(shapes.query, request.query),
    body: read(shapes.body ?? NO_BODY, request.body),
  } as ReadCall<Calls[Name]>;
}

/** Words of people and agents may hold anything; they are kept as JSON. */
const KEPT_AS_JSON: ReadonlySet<string> = new Set(['text', 'content', 'records', 'result', 'agents']);

/**
 * Refuses what nobody means. PostgreSQL keeps no character zero in a name or an id, and none has a use for it. A name
 * that objects have a meaning for of their own would get lost on the way without a word.
 */
function refuseStrange(value: unknown, place: string): void {
  const refuse = (reason: string) =>
    new DragomanError('bad-request', `${place.slice(0, 200) || 'the body'}: ${reason}.`);
  if (typeof value === 'string' && value.includes('\0')) throw refuse('it must not contain a null character');
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') throw refuse('it must not contain a key named __proto__');
    if (!KEPT_AS_JSON.has(key)) refuseStrange(inner, place === '' ? key : `${place}.${key}`);
  }
}
