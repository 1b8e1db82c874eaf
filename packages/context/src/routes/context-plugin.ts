import type { FastifyInstance, FastifyRequest } from 'fastify';

export type ContextHandler = (request: FastifyRequest) => Promise<unknown>;
export type ContextHandlers = Readonly<Record<ContextPath, ContextHandler>>;

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

/** The context engine's own routes as one Fastify plugin, at the root and under `/gateway` as the gateway's are. */
export async function contextPlugin(door: FastifyInstance, { handlers }: { handlers: LazyHandlers }): Promise<void> {
  for (const prefix of ['', '/gateway']) {
    for (const path of OWN_PATHS)
      door.post(prefix + path, { config: { access: 'viewer' } }, async (request) => (await handlers())[path](request));
  }
}

/** What the gateway is handed for the Augment endpoints. */
export function augmentHandlers(handlers: LazyHandlers): Record<string, ContextHandler> {
  return Object.fromEntries(
    AUGMENT_PATHS.map((path) => [path, async (request: FastifyRequest) => (await handlers())[path](request)]),
  );
}
