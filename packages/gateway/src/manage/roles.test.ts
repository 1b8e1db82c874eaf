import type { Role } from '@dragoman/protocol';
import { GATEWAY_ROUTES } from '@dragoman/protocol/routes';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { gatewayPlugin } from '../index.ts';
import { openManaged } from './manage.fixture.ts';

type CallName = keyof typeof GATEWAY_ROUTES;

const TABLE: Record<CallName, Record<'nobody' | Role, number>> = {
  readGateway: { nobody: 401, viewer: 200, member: 200, admin: 200 },
  testModel: { nobody: 401, viewer: 403, member: 403, admin: 200 },
  listProviderModels: { nobody: 401, viewer: 403, member: 403, admin: 200 },
  readUsage: { nobody: 401, viewer: 200, member: 200, admin: 200 },
  readBudgets: { nobody: 401, viewer: 200, member: 200, admin: 200 },
  listRequests: { nobody: 401, viewer: 403, member: 403, admin: 200 },
  readRequests: { nobody: 401, viewer: 403, member: 403, admin: 200 },
};

const BODIES: Partial<Record<CallName, object>> = {
  testModel: { model: 'offline/offline' },
  listProviderModels: { provider: 'offline' },
};

test('every call answers each role as the table says', async () => {
  const { gateway } = await openManaged();
  const statusFor = async (name: CallName, who: 'nobody' | Role) => {
    const { method, path } = GATEWAY_ROUTES[name];
    const response = await fetch(gateway.url + path, {
      method,
      headers: {
        ...(who === 'nobody' ? {} : { authorization: `Bearer ${gateway.tokenOf[who]}` }),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      ...(method === 'POST' ? { body: JSON.stringify(BODIES[name]) } : {}),
    });
    await response.body?.cancel();
    return response.status;
  };

  const answered: Record<string, Record<string, number>> = {};
  for (const [name, expected] of Object.entries(TABLE) as [CallName, object][]) {
    answered[name] = {};
    for (const who of Object.keys(expected) as ('nobody' | Role)[]) answered[name][who] = await statusFor(name, who);
  }

  expect(answered).toEqual(TABLE);
});

test('an application that checks no roles tells usage and nothing else', async () => {
  const { gateway } = await openManaged();
  const app = Fastify();
  onTestFinished(() => app.close());
  await app.register(gatewayPlugin, { config: () => gateway.config, store: gateway.store });

  const statuses = await Promise.all(
    Object.values(GATEWAY_ROUTES).map(async ({ method, path }) => [
      path,
      (await app.inject({ method, url: path, ...(method === 'POST' ? { payload: {} } : {}) })).statusCode,
    ]),
  );

  expect(Object.fromEntries(statuses)).toEqual({
    '/api/gateway': 404,
    '/api/gateway/test': 404,
    '/api/gateway/models': 404,
    '/api/usage': 200,
    '/api/budgets': 404,
    '/api/gateway/requests': 404,
    '/api/gateway/requests/live': 404,
  });
});
