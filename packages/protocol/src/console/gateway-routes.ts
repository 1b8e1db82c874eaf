import type { ApiRoute } from '../api/api-route.ts';

/** What the gateway tells of itself. What goes in and out stands in `gateway-calls.ts`. */
export const GATEWAY_ROUTES = {
  readGateway: {
    method: 'GET',
    path: '/api/gateway',
    access: 'viewer',
    summary: 'Providers and routes as they are in force, without keys, and what was blocked or redacted.',
  },
  testModel: {
    method: 'POST',
    path: '/api/gateway/test',
    access: 'admin',
    summary: 'Makes one small real call: to a name clients may ask for, or to a provider that is not saved yet.',
    slowMs: 90_000,
  },
  listProviderModels: {
    method: 'POST',
    path: '/api/gateway/models',
    access: 'admin',
    summary: 'Asks a provider, saved or not, which models it has.',
    slowMs: 60_000,
  },
  readUsage: {
    method: 'GET',
    path: '/api/usage',
    access: 'viewer',
    summary:
      'Calls, tokens, cost and latency by hour, day, model, route or token; tokens of other people without their names, except for admins.',
  },
  readBudgets: {
    method: 'GET',
    path: '/api/budgets',
    access: 'viewer',
    summary:
      'What is spent of each budget in the period that runs: all of them for admins, for others those that hold their own calls.',
  },
  listRequests: {
    method: 'GET',
    path: '/api/gateway/requests',
    access: 'admin',
    summary: 'The latest model calls, without contents, the newest first.',
  },
  readRequests: {
    method: 'GET',
    path: '/api/gateway/requests/live',
    access: 'admin',
    summary: 'Model calls as they end, without contents.',
    answers: 'events',
  },
} as const satisfies Record<string, ApiRoute>;
