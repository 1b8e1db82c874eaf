import { DragomanError } from '@dragoman/protocol';
import { callerOf, PATH_TOKEN_ROOT } from '@dragoman/server';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import { listAllowed, resolveAllowed } from '../../policy/allowed-models.ts';
import { askedModel } from './asked-model.ts';
import { listedModel, shownModel } from './model-info.ts';
import { requiredModel } from './required-model.ts';

/** The version of Ollama whose protocol this is: clients look whether it is new enough for what they want. */
const VERSION = '0.12.6';

/** What clients ask to see whether it is Ollama that they talk to. */
const GREETING = 'Ollama is running';

/** Calls that change which models there are. That is the business of the settings here. `/api/push` is the hub's. */
const CHANGES = [
  ['POST', '/api/create'],
  ['POST', '/api/copy'],
  ['DELETE', '/api/delete'],
] as const;

/** Which models there are, and what they can do. */
export function ollamaModelRoutes(door: FastifyInstance, gateway: Gateway): void {
  const forAll = { config: { access: 'any-token' } } as const;
  const readName = (body: unknown) => askedModel(requiredModel(body, { mayBeName: true }), gateway.config());

  door.get('/api/version', forAll, () => ({ version: VERSION }));
  door.get('/api/tags', forAll, (request) => ({
    models: listAllowed(gateway.config(), callerOf(request)).map(listedModel),
  }));
  door.get('/api/ps', forAll, () => ({ models: [] })); // Nothing is held in memory here.
  door.post('/api/show', forAll, (request) => shownModel(readName(request.body), gateway.config(), callerOf(request)));
  // Some clients pull a model before they first ask it.
  door.post('/api/pull', forAll, (request, reply) => {
    resolveAllowed(readName(request.body), gateway.config(), callerOf(request));
    return reply.type('application/x-ndjson').send('{"status":"success"}\n');
  });
  for (const [method, url] of CHANGES)
    door.route({
      method,
      url,
      ...forAll,
      handler() {
        throw new DragomanError('forbidden', 'Models cannot be changed here. They are part of the server settings.');
      },
    });
  if (door.prefix === '')
    door.get(PATH_TOKEN_ROOT, forAll, (_request, reply) => reply.type('text/plain').send(GREETING));
}
