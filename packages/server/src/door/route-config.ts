import type { TokenRole } from '@dragoman/protocol';
import type { FastifyRequest } from 'fastify';
import { DragomanError } from '@dragoman/protocol';
import type { Caller } from '../access/caller.ts';
import type { DoorConnections } from './door-connections.ts';
import type { OpenStreams } from '../access/open-streams.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The least role that may call this route. A route that says nothing is for admins; `any-token` takes every role, also
     * the one that calls models only, and `public` no token at all.
     */
    access?: TokenRole | 'any-token' | 'public';
    /** Which body limits hold. A route that says nothing takes API calls; a public one takes very little. */
    body?: 'api' | 'upload';
    /** Its clients may send their token in the address, as `?key=`. It is taken out of there before anybody else looks. */
    takesKeyInQuery?: boolean;
    /** Pages of other origins are refused even with a token, unless `server.corsOrigins` names them. */
    refusesForeignOrigins?: boolean;
    /** It is called many times a second by programs: what went well is told at level `debug`. */
    isQuiet?: boolean;
  }
  interface FastifyRequest {
    /** Who asks; null on public routes. See `callerOf`. */
    caller: Caller | null;
    /** How much of the body was read, unpacked; 0 where none was. */
    bodyBytes: number;
    /** The code of the error that was the answer, for the request's log line. */
    errorCode: string | null;
  }
  interface FastifyInstance {
    /** Aborted when the server begins to stop: streams that could go on for ever end themselves. */
    stopping: AbortSignal;
    /** Where answers that could go on for ever are noted, so that they end with their token. */
    openStreams: OpenStreams;
    /** Who is connected, so that a stop waits for nobody who asks for nothing. */
    connections: DoorConnections;
  }
}

/** The caller of a route that needs a token. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null)
    throw new DragomanError('internal', `${request.method} ${request.routeOptions.url} is public and has no caller.`);
  return request.caller;
}
