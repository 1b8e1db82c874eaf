import type { CallAnswer, CallInput, CallMethods, HubCallOptions, MethodName } from '../api/call-methods.ts';
import type { HUB_CALLS } from './hub-calls.ts';
import type { LoggedHubEvent } from './hub-event.ts';
import type { HUB_ROUTES } from './hub-routes.ts';

/** The calls of the hub that are methods of its client. */
export type HubMethodName = MethodName<typeof HUB_ROUTES>;

/** What a call of the hub takes. */
export type HubInput<Name extends HubMethodName> = CallInput<(typeof HUB_CALLS)[Name]>;

/** What it gives. */
export type HubAnswer<Name extends HubMethodName> = Name extends 'readLog'
  ? { events: LoggedHubEvent[]; seq: number }
  : CallAnswer<(typeof HUB_ROUTES)[Name], (typeof HUB_CALLS)[Name]>;

/** One method per call of the hub. */
export type HubMethods = Omit<CallMethods<typeof HUB_ROUTES, typeof HUB_CALLS>, 'readLog'> & {
  readLog(input: HubInput<'readLog'>, options?: HubCallOptions): Promise<HubAnswer<'readLog'>>;
};
