import { type ApiRoute, HUB_ROUTES, type HubCallName } from '@dragoman/protocol/routes';
import { FailedAttempts } from '@dragoman/server/base';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Answers one call: with what is sent as JSON, or by itself where the answer is a stream or a file. */
export type HubHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** What answers, by the name of the call. */
export type HubHandlers = Readonly<Record<HubCallName | 'openApi' | 'webhook', HubHandler>>;

/** Opens the hub with the first request that needs it. */
export type LazyHubHandlers = () => Promise<HubHandlers>;

/** Bodies with images in them, or with much that happened. */
const UPLOADS: ReadonlySet<string> = new Set<HubCallName>(['createSession', 'sendPrompt', 'runnerEvents']);

/** The longest message of Lark has 150 KB, that of Telegram 16; they grow when they are encrypted and written as JSON. */
const WEBHOOK_BYTES = 512 * 1024;

/** Not the platform, no such channel, too large, packed. */
const REFUSED: ReadonlySet<number> = new Set([401, 404, 413, 415]);

/** The hub's routes as one Fastify plugin: those of the table, and the document that describes them. */
export async function hubPlugin(door: FastifyInstance, { handlers }: { handlers: LazyHubHandlers }): Promise<void> {
  for (const [name, { method, path, access }] of Object.entries(HUB_ROUTES) as [HubCallName, ApiRoute][]) {
    if (name === 'me' && door.hasRoute({ method, url: path })) continue; // The door itself knows who asks.
    door.route({
      method,
      url: path,
      config: { access, body: UPLOADS.has(name) ? 'upload' : 'api', isQuiet: name === 'runnerEvents' },
      handler: async (request, reply) => (await handlers())[name](request, reply),
    });
  }
  door.get('/api/openapi.json', { config: { access: 'viewer' } }, async (request, reply) =>
    (await handlers()).openApi(request, reply),
  );
  await door.register(async (inner) => {
    // Platforms sign the bytes, so these are what is handed on, whatever they call them.
    inner.removeAllContentTypeParsers();
    inner.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: WEBHOOK_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    // Anybody can call; who is not the platform waits for being told so, and with too many waiting is told to come later.
    const refusedCalls = new FailedAttempts();
    inner.addHook('onSend', async (request, reply, payload) => {
      if (REFUSED.has(reply.statusCode) && !(await refusedCalls.holdBack(request.ip)))
        reply.code(429).header('retry-after', '5');
      return payload;
    });
    inner.post(
      '/channels/:channel',
      { config: { access: 'public' }, bodyLimit: WEBHOOK_BYTES },
      async (request, reply) => (await handlers()).webhook(request, reply),
    );
  });
}
