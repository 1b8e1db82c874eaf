import type { HubCallName } from '@dragoman/protocol';
import { HUB_CALLS } from '@dragoman/protocol/schemas';
import { type ReadCall, readCall as readOne } from '@dragoman/server';
import type { FastifyRequest } from 'fastify';

/** Reads a request as one of the hub's calls. */
export function readCall<Name extends HubCallName>(
  name: Name,
  request: FastifyRequest,
): ReadCall<(typeof HUB_CALLS)[Name]> {
  return readOne(HUB_CALLS, name, request);
}
