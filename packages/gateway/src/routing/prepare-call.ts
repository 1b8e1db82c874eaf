import type { ModelCall } from '@dragoman/protocol';
import { redactCall } from '../policy/redact-call.ts';
import { boundToolArguments } from '../repair/bound-tool-arguments.ts';
import { pairToolResults } from '../repair/pair-tool-results.ts';
import type { CallOwner } from '../metering/note-call.ts';
import type { Route } from './resolve-route.ts';

/** What the asker left open is filled from the route, secrets are taken out, and tool calls and results belong together. */
export async function prepareCall(
  asked: ModelCall,
  route: Route,
  owner: CallOwner | undefined,
  signal?: AbortSignal,
): Promise<{ call: ModelCall; redactions: number }> {
  const { call, count } = route.isRedacted ? await redactCall(asked, signal) : { call: asked, count: 0 };
  const temperature = call.temperature ?? route.temperature;
  const maxOutputTokens = call.maxOutputTokens ?? route.maxTokens;
  return {
    call: {
      ...call,
      prompt: pairToolResults(boundToolArguments(call.prompt)),
      ...(owner === undefined ? {} : { asker: askerOf(owner, route) }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    },
    redactions: count,
  };
}

/** Who asks for what: conversations of others, and on other routes, are others. */
export function askerOf({ userId, tokenName }: CallOwner, { name }: Route): string {
  return JSON.stringify([userId, tokenName, name]);
}
