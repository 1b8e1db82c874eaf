import type { ModelCall } from '@dragoman/protocol';
import { redactCall } from '../policy/redact-call.ts';
import type { Route } from './resolve-route.ts';

/** What the asker left open is filled from the route, and secrets are taken out. */
export function prepareCall(asked: ModelCall, route: Route): { call: ModelCall; redactions: number } {
  const { call, count } = route.isRedacted ? redactCall(asked) : { call: asked, count: 0 };
  const temperature = call.temperature ?? route.temperature;
  const maxOutputTokens = call.maxOutputTokens ?? route.maxTokens;
  return {
    call: {
      ...call,
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    },
    redactions: count,
  };
}
