import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { tempFolder } from '@dragoman/testkit';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveHere } from './serve-here.fixture.ts';
import { withTokens } from './with-tokens.ts';

/** What a token for models may call beside the calls of models themselves (lists, counts, its own responses), at the root and under `/gateway`. */
const LISTS_AND_COUNTS = [
  'POST /get-models',
  'GET /v1/models',
  'HEAD /v1/models',
  'GET /v1/models/*',
  'HEAD /v1/models/*',
  'POST /v1/messages/count_tokens',
  'POST /v1/responses/input_tokens',
  'GET /v1/responses/:id',
  'HEAD /v1/responses/:id',
  'DELETE /v1/responses/:id',
  'GET /v1/responses/:id/input_items',
  'HEAD /v1/responses/:id/input_items',
  'GET /api/ps',
  'HEAD /api/ps',
  'GET /api/tags',
  'HEAD /api/tags',
  'GET /api/version',
  'HEAD /api/version',
  'POST /api/show',
  'POST /api/pull',
  ...['/v1beta', '/v1beta1', '/v1alpha'].flatMap((version) => [
    `GET ${version}/models`,
    `HEAD ${version}/models`,
    `GET ${version}/*`,
    `HEAD ${version}/*`,
  ]),
];
/** What an address with a token in it leads to when it ends there. */
const ADDRESS_ROOT = ['GET /token', 'HEAD /token'];

test('a token for models is answered 403 by every route of the server but those of models', async () => {
  vi.stubEnv('DRAGOMAN_HOME', tempFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const { url, routes } = await serve();
  const token = await withTokens({}, async (tokens) => {
    const user = await tokens.openUser('ada', 'member');
    return (await tokens.createToken({ user, name: 'ollama', role: 'models', expiresAt: null })).text;
  });

  const reached: string[] = [];
  const refusals = new Set<string>();
  for (const { method, path } of routes) {
    const answer = await fetch(url + path.replace(/:\w+/g, 'x').replace('*', 'x'), {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await answer.text();
    if (answer.status !== 403) reached.push(`${method} ${path}`);
    else if (method !== 'HEAD') refusals.add(text.replace(/req_\w+/, 'ID'));
  }

  expect(routes.length).toBeGreaterThan(150);
  expect(reached.toSorted()).toEqual(
    [
      ...routes.filter(({ isModelCall }) => isModelCall).map(({ method, path }) => `${method} ${path}`),
      ...ADDRESS_ROOT,
      ...LISTS_AND_COUNTS.flatMap((route) => [route, route.replace('/', '/gateway/')]),
    ].toSorted(),
  );
  for (const known of ['/v1/chat/completions', '/v1/responses', '/v1/messages', '/v1/embeddings', '/chat-stream'])
    expect(reached).toContain(`POST ${known}`);
  const why = /it can only call models|Models cannot be changed here/;
  for (const refusal of refusals) expect(refusal).toMatch(why);
});

interface Route {
  method: string;
  path: string;
  isModelCall: boolean;
}

/** A server of this process, and every route of it that wants a token. */
async function serve(): Promise<{ url: string; routes: Route[] }> {
  const routes: Route[] = [];
  const collect = (message: unknown) => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', (route: RouteOptions) => {
      if (route.config?.access === 'public') return;
      const marks: Readonly<Record<string, unknown>> = { ...route.config };
      const isModelCall = marks['isModelCall'] === true;
      for (const method of [route.method].flat()) routes.push({ method, path: route.url, isModelCall });
    });
  };
  subscribe('fastify.initialization', collect);
  onTestFinished(() => void unsubscribe('fastify.initialization', collect));
  const { server } = await serveHere();
  return { url: server.url, routes };
}
