import { newId } from '@dragoman/protocol';
import { GATEWAY_ROUTES } from '@dragoman/protocol/routes';
import { GATEWAY_CALLS } from '@dragoman/protocol/console-calls';
import { type FakeProvider, startFakeProvider } from '@dragoman/testkit';
import type { Caller } from '@dragoman/server';
import { expect, onTestFinished } from 'vitest';
import type { z } from 'zod';
import {
  type GatewayConfigInput,
  openTestGateway,
  provider,
  recordedAnswer,
  type TestGateway,
} from '../gateway.fixture.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Gateway } from '../gateway.ts';
import { openCallBook } from '../metering/call-book.ts';
import { UpstreamRegistry } from '../upstreams/upstream-registry.ts';

type Calls = typeof GATEWAY_CALLS;
type Answer<Name extends Answered> = z.output<Calls[Name]['answer']>;
type Answered = { [Name in keyof Calls]: Calls[Name] extends { answer: z.ZodType } ? Name : never }[keyof Calls];

/** A key as long as real ones, to be looked for where it must not be. */
export const SECRET = 'kept-key-91f2c7aa40d3';

/** A gateway in front of one fake provider, whose answers are those of the contract and nothing more. */
export interface ManagedGateway {
  gateway: TestGateway;
  fake: FakeProvider;
  ask<Name extends Answered>(name: Name, input?: object): Promise<Answer<Name>>;
}

/** Opens it with a provider `fake`, which the route `default` leads to. */
export async function openManaged(
  config: GatewayConfigInput = {},
  engine: 'sqlite' | 'postgres' = 'sqlite',
): Promise<ManagedGateway> {
  const fake = await startFakeProvider();
  fake.answer({ body: recordedAnswer('openai-chat', 'text') });
  const gateway = await openTestGateway(
    {
      providers: { fake: { ...provider('openai-chat', fake.url), apiKey: SECRET } },
      routes: { default: ['fake/m'] },
      ...config,
    },
    {},
    engine,
  );
  return { gateway, fake, ask: (name, input) => ask(gateway, name, input) };
}

/** Calls as an admin. The answer has the shape of the contract, with nothing beside it. */
export async function ask<Name extends Answered>(
  gateway: TestGateway,
  name: Name,
  input: object = {},
): Promise<Answer<Name>> {
  const { method, path } = GATEWAY_ROUTES[name];
  const query = new URLSearchParams(Object.entries(input).map(([key, value]) => [key, String(value)]));
  const { status, body } =
    method === 'GET' ? await gateway.call(`${path}?${query}`) : await gateway.call(path, post(input));
  expect({ status, body }).toEqual({ status: 200, body: GATEWAY_CALLS[name].answer.parse(body) });
  return body as Answer<Name>;
}

/** A request with a JSON body. */
export function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** What `testModel` needs of a gateway, without a door in front. */
export function testParts(
  config: GatewayConfig,
): Pick<Gateway, 'config' | 'upstreams' | 'usageLog' | 'calls' | 'targets' | 'budgets'> {
  const upstreams = new UpstreamRegistry();
  onTestFinished(() => upstreams.close());
  return { config: () => config, upstreams, ...openCallBook({}) };
}

/** Somebody who waits for the answer. */
export function asked(): { caller: Caller; left: AbortSignal } {
  const who = { userId: newId('usr'), userName: 'ada', tokenName: 'desk', role: 'admin', tokenId: undefined } as const;
  return { caller: who, left: new AbortController().signal };
}
