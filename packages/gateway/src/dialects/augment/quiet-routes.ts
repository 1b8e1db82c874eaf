import { DragomanError } from '@dragoman/protocol';
import { callerOf, clientSignal } from '@dragoman/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import { augmentModels } from './get-models.ts';
import { isHybrid, passToOfficial, readOfficialModels } from './official-service.ts';
import { BLOCKED_ENDPOINTS, CONTEXT_ENDPOINTS, QUIET_ENDPOINTS, QUIET_PREFIXES } from './quiet-endpoints.ts';

const ANYONE = { config: { access: 'viewer' } } as const;

/** Everything of the protocol that asks no model. */
export function quietRoutes(door: FastifyInstance, gateway: Gateway): void {
  door.post('/get-models', { config: { access: 'any-token' } }, async (request) => {
    const config = gateway.config();
    const official = await readOfficialModels(config, request.id);
    return augmentModels(config, official, gateway.maxBlobBytes(), callerOf(request));
  });

  for (const [path, answer] of Object.entries(BLOCKED_ENDPOINTS))
    door.post(path, ANYONE, (request) => block(gateway, path, answer, request));
  door.post('/blocked', ANYONE, (request) => block(gateway, '/blocked', {}, request));
  for (const [path, answer] of Object.entries(QUIET_ENDPOINTS)) door.post(path, ANYONE, () => answer);
  for (const prefix of QUIET_PREFIXES) door.post(`${prefix}/*`, ANYONE, () => ({}));
  door.post('/agents/run-remote-tool', ANYONE, () => ({
    tool_output: 'This server offers no remote tools.',
    tool_result_message: '',
    is_input_request: false,
    status: 2,
  }));

  for (const [path, { access, quiet }] of Object.entries(CONTEXT_ENDPOINTS)) {
    door.post(path, { config: { access, body: 'upload' } }, (request, reply) =>
      answerContext(gateway, path, quiet, request, reply),
    );
  }
}

/** Counted and kept here: what a client reports of an error names the field it could not read. */
function block(gateway: Gateway, path: string, answer: unknown, request: FastifyRequest): unknown {
  gateway.metrics.blocked.inc({ path });
  if (path === '/report-error') gateway.clientReports.add(callerOf(request).userName, request.body);
  return answer;
}

async function answerContext(
  gateway: Gateway,
  path: string,
  quiet: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const config = gateway.config();
  const local = gateway.context?.[path];
  if (!isHybrid(config) && local !== undefined) return local(request);
  if (quiet !== undefined) return quiet;
  if (!isHybrid(config)) throw new DragomanError('unavailable', 'The context engine is not running here.');
  await passToOfficial(config, path, request, reply, clientSignal(reply));
  return reply;
}
