import { DragomanError } from '@dragoman/protocol';
import type { GATEWAY_ROUTES } from '@dragoman/protocol/routes';
import { GATEWAY_CALLS } from '@dragoman/protocol/console-calls';
import {
  type AccessTables,
  type Caller,
  clientSignal,
  openEventStream,
  readCall,
  type Store,
  TokenStore,
} from '@dragoman/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../gateway.ts';
import type { UsageTables } from '../metering/usage-tables.ts';
import { listBudgets } from '../budgets/list-budgets.ts';
import type { CallOwner } from '../metering/note-call.ts';
import { CallsElsewhere } from './calls-elsewhere.ts';
import { describeGateway } from './describe-gateway.ts';
import { followRequests } from './follow-requests.ts';
import { listProviderModels } from './list-provider-models.ts';
import { listRequests } from './list-requests.ts';
import { readLoggedOutcomes } from './logged-outcomes.ts';
import { listUnpriced } from '../usage/list-unpriced.ts';
import { readUsage } from '../usage/read-usage.ts';
import { testModel } from './test-model.ts';

const MOST_DAYS_BY_HOUR = 31;

/** Answers one call: with what is sent as JSON, or by itself where the answer is a stream. */
export type ManageHandlers = Readonly<
  Record<keyof typeof GATEWAY_ROUTES, (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>>
>;

/** What answers, by the name of the call. */
export function manageHandlers(gateway: Gateway, store: Store): ManageHandlers {
  const db = store.tables<UsageTables>();
  const tokens = new TokenStore(store.tables<AccessTables>());
  const elsewhere = new CallsElsewhere({ db, calls: gateway.calls });
  return {
    async readGateway(request) {
      const { caller } = readCall(GATEWAY_CALLS, 'readGateway', request);
      // What is in force is told while the store is away, too.
      const logged = await readLoggedOutcomes(db).catch(() => ({ answered: new Map(), providers: new Map() }));
      return describeGateway(gateway, caller, logged);
    },
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
      const { by = 'day', days = 30, timeZone = 'UTC' } = query;
      if (by === 'hour' && days > MOST_DAYS_BY_HOUR)
        throw new DragomanError(
          'bad-request',
          `days: at most ${MOST_DAYS_BY_HOUR} when grouped by hour; group by day for more.`,
        );
      await gateway.usageLog.flush();
      const ownUserId = caller.role === 'admin' ? undefined : caller.userId;
      const usage = await readUsage(db, { by, days, timeZone, now: Date.now(), ownUserId });
      const unpriced = by === 'model' && { unpricedModels: listUnpriced(usage.rows, gateway.config()) };
      return { by, days, timeZone, ...usage, ...unpriced };
    },
    async readBudgets(request) {
      const { caller } = readCall(GATEWAY_CALLS, 'readBudgets', request);
      await gateway.usageLog.flush();
      const owners = caller.role === 'admin' ? undefined : await ownCalls(tokens, caller);
      return { budgets: await listBudgets(db, gateway.config().budgets, Date.now(), owners) };
    },
    async listRequests(request) {
      const { limit = 100 } = readCall(GATEWAY_CALLS, 'listRequests', request).query;
      await gateway.usageLog.flush();
      return { requests: await listRequests(db, gateway.calls.refusals, limit) };
    },
    async readRequests(request, reply) {
      readCall(GATEWAY_CALLS, 'readRequests', request);
      const stream = openEventStream(request, reply);
      followRequests(gateway.calls, stream);
      elsewhere.follow(stream.signal);
      return reply;
    },
  };
}

/** Whose calls are a person's: their own and those of all their tokens. */
async function ownCalls(tokens: TokenStore, caller: Caller): Promise<CallOwner[]> {
  const { userId, userName } = caller;
  const own = await tokens.listLive(userId);
  return [caller, ...own.map(({ id, name, role }) => ({ userId, userName, tokenId: id, tokenName: name, role }))];
}
