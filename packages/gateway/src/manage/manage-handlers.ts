import type { GATEWAY_ROUTES } from '@dragoman/protocol/routes';
import { GATEWAY_CALLS } from '@dragoman/protocol/console-calls';
import { clientSignal, openEventStream, readCall } from '@dragoman/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Gateway } from '../gateway.ts';
import type { UsageTables } from '../metering/usage-tables.ts';
import { describeGateway } from './describe-gateway.ts';
import { followRequests } from './follow-requests.ts';
import { listProviderModels } from './list-provider-models.ts';
import { listRequests } from './list-requests.ts';
import { readUsage } from './read-usage.ts';
import { testModel } from './test-model.ts';

/** Answers one call: with what is sent as JSON, or by itself where the answer is a stream. */
export type ManageHandlers = Readonly<
  Record<keyof typeof GATEWAY_ROUTES, (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>>
>;

/** What answers, by the name of the call. */
export function manageHandlers(gateway: Gateway, db: Kysely<UsageTables>): ManageHandlers {
  return {
    readGateway: (request) => describeGateway(gateway, readCall(GATEWAY_CALLS, 'readGateway', request).caller),
    testModel(request, reply) {
      const { body, caller } = readCall(GATEWAY_CALLS, 'testModel', request);
      return testModel(gateway, { ...body, caller, left: clientSignal(reply) });
    },
    listProviderModels(request, reply) {
      const { body } = readCall(GATEWAY_CALLS, 'listProviderModels', request);
      return listProviderModels(gateway.config(), { ...body, left: clientSignal(reply) });
    },
    async readUsage(request) {
      const { query, caller } = readCall(GATEWAY_CALLS, 'readUsage', request);
      const { by = 'day', days = 30 } = query;
      await gateway.usageLog.flush();
      const ownUserId = caller.role === 'admin' ? undefined : caller.userId;
      return { by, days, rows: await readUsage(db, by, days, { ownUserId }) };
    },
    async listRequests(request) {
      const { limit = 100 } = readCall(GATEWAY_CALLS, 'listRequests', request).query;
      await gateway.usageLog.flush();
      return { requests: await listRequests(db, gateway.calls.refusals, limit) };
    },
    async readRequests(request, reply) {
      readCall(GATEWAY_CALLS, 'readRequests', request);
      followRequests(gateway.calls, openEventStream(request, reply));
      return reply;
    },
  };
}
