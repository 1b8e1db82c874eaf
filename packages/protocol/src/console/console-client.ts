import { type CallMethods, callMethods } from '../api/call-methods.ts';
import { createHubClient, type FollowOptions, type HubClient, type HubClientOptions } from '../hub/hub-client.ts';
import { hubSender } from '../hub/hub-request.ts';
import type { CONTEXT_CALLS } from './context-calls.ts';
import { CONTEXT_ROUTES } from './context-routes.ts';
import type { GATEWAY_CALLS, RequestInfo } from './gateway-calls.ts';
import { GATEWAY_ROUTES } from './gateway-routes.ts';
import type { SETTINGS_CALLS } from './settings-calls.ts';
import { SETTINGS_ROUTES } from './settings-routes.ts';
import type { WORKPLACE_CALLS } from './workplace-calls.ts';
import { WORKPLACE_ROUTES } from './workplace-routes.ts';

const CONSOLE_ROUTES = { ...SETTINGS_ROUTES, ...GATEWAY_ROUTES, ...CONTEXT_ROUTES, ...WORKPLACE_ROUTES };

type ConsoleMethods = CallMethods<
  typeof CONSOLE_ROUTES,
  typeof SETTINGS_CALLS & typeof GATEWAY_CALLS & typeof CONTEXT_CALLS & typeof WORKPLACE_CALLS
>;

/** Everything the console calls: the hub, and what the other rooms tell of themselves. */
export interface ConsoleClient extends HubClient, ConsoleMethods {
  /** Model calls as they end. The list is to be read again whenever the stream is `live`. */
  followRequests(options: FollowOptions & { onRequest: (request: RequestInfo) => void }): Promise<void>;
}

/** The typed client of the whole server, for browsers and Node. It is derived from the tables of routes. */
export function createConsoleClient(options: HubClientOptions): ConsoleClient {
  const hub = createHubClient(options);
  const usualMs = options.times?.callMs ?? 30_000;
  return {
    ...hub,
    ...(callMethods(CONSOLE_ROUTES, { send: hubSender(options), signal: options.signal, usualMs }) as ConsoleMethods),
    followRequests: ({ onRequest, ...more }) => hub.follow(GATEWAY_ROUTES.readRequests.path, onRequest, more),
  };
}
