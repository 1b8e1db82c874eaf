import type { ApiRoute } from '@dragoman/protocol';
import { CONTEXT_ROUTES } from '@dragoman/protocol/routes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export type ContextHandler = (request: FastifyRequest) => Promise<unknown>;

/** A call of `CONTEXT_ROUTES`. */
type ManageCall = keyof typeof CONTEXT_ROUTES;

/** What answers the calls about indexed folders, by their names. */
export type ManageHandlers = Readonly<Record<ManageCall, ContextHandler>>;

/** Answers a message over MCP; it may stream. */
type McpHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<Response>;

/** What answers, by path or by the name of the call. */
export type ContextHandlers = Readonly<Record<ContextPath, ContextHandler>> & ManageHandlers & { '/mcp': McpHandler };

/** The context endpoints of the Augment protocol. The gateway has their routes and is handed what answers. */
const AUGMENT_PATHS = [
  '/find-missing',
  '/batch-upload',
  '/checkpoint-blobs',
  '/agents/codebase-retrieval',
  '/indexed-commits/get-latest-blobset',
  '/indexed-commits/register-blobset',
] as const;
const OWN_PATHS = ['/search', '/codebase_search', '/find_symbol', '/context', '/workspace_context'] as const;
type ContextPath = (typeof AUGMENT_PATHS)[number] | (typeof OWN_PATHS)[number];

/** Opens the engine with the first request that needs it: a server that is asked nothing about code carries none of it. */
export type LazyHandlers = () => Promise<ContextHandlers>;

/**
 * The context engine's own routes as one Fastify plugin: questions at the root and under `/gateway` as the gateway's are,
 * the calls of its table, and MCP.
 */
export async function contextPlugin(door: FastifyInstance, { handlers }: { handlers: LazyHandlers }): Promise<void> {
  for (const prefix of ['', '/gateway']) {
    for (const path of OWN_PATHS)
      door.post(prefix + path, { config: { access: 'viewer' } }, async (request) => (await handlers())[path](request));
  }
  for (const [name, { method, path, access }] of Object.entries(CONTEXT_ROUTES) as [ManageCall, ApiRoute][])
    door.route({
      method,
      url: path,
      config: { access },
      handler: async (request) => (await handlers())[name](request),
    });
  door.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    exposeHeadRoute: false,
    // MCP demands it of every server that speaks HTTP.
    config: { access: 'viewer', refusesForeignOrigins: true },
    handler: async (request, reply) => (await handlers())['/mcp'](request, reply),
  });
}

/** What the gateway is handed for the Augment endpoints. */
export function augmentHandlers(handlers: LazyHandlers): Record<string, ContextHandler> {
  return Object.fromEntries(
    AUGMENT_PATHS.map((path) => [path, async (request: FastifyRequest) => (await handlers())[path](request)]),
  );
}
