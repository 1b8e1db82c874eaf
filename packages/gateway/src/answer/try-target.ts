import { DragomanError, type ModelSink } from '@dragoman/protocol';
import type { ClientRequest, DecodedRequest } from '../dialects/dialect.ts';
import { RefusedCall } from '../policy/refused-call.ts';
import { prepareCall } from '../routing/prepare-call.ts';
import type { Target } from '../routing/target.ts';
import { SettingRefusal } from '../upstreams/settings/setting-refusal.ts';
import type { FlowControl } from '../upstreams/upstream.ts';
import { type Answering, conversationOf } from './answering.ts';
import { FirstEventGate } from './first-event-gate.ts';
import { leftOutOf } from './left-out-of.ts';
import { isRelayed, relayToTarget } from './relay-to-target.ts';
import { LEFT_OUT_HEADER, tellLeftOut } from './tell-left-out.ts';

/** Where the answer of a target goes that is not relayed to. */
export interface Outlet<Context> {
  /** Its first step, for the request as it was decoded. */
  open: (decoded: DecodedRequest<Context>) => ModelSink;
  /** Called when a target has accepted the call. */
  begin: () => void;
  flow: FlowControl | undefined;
}

/** Asks one target. Resolves with an error as long as nothing of an answer has reached the client. */
export async function tryTarget<Context>(
  answering: Answering<Context>,
  target: Target,
  outlet: Outlet<Context>,
  begun: () => void,
): Promise<DragomanError | undefined> {
  const { gateway, dialect, client, request, reply, route, signal } = answering;
  try {
    reply.removeHeader(LEFT_OUT_HEADER); // A target before this one may have left out something else.
    if (isRelayed(gateway, dialect, target)) return await relayToTarget(answering, target, begun);
    const decoded = (answering.decoded ??= decode(client));
    const { call, redactions } = (answering.prepared ??= await prepareCall(
      decoded.call,
      route,
      () => conversationOf(answering),
      signal,
    ));
    answering.redactions = redactions;
    const accepted = await gateway.upstreams.open(call, target, client.isStreamed, signal);
    const leftOut = leftOutOf(decoded, accepted, dialect, target);
    if (leftOut.length > 0) tellLeftOut(leftOut, request, reply);
    outlet.begin();
    const gate = new FirstEventGate(outlet.open(decoded), begun);
    await accepted.run(gate, outlet.flow);
    return gate.earlyError;
  } catch (error) {
    if (error instanceof SettingRefusal)
      return error.inWordsOf({ ...dialect.settingNames, ...answering.decoded?.settingNames });
    if (error instanceof DragomanError) return error;
    throw error;
  }
}

/** What this target cannot be told another one may understand. */
function decode<Context>(client: ClientRequest<Context>): DecodedRequest<Context> {
  try {
    return client.decode();
  } catch (error) {
    if (!(error instanceof DragomanError) || error instanceof RefusedCall) throw error;
    throw new RefusedCall(error.code, error.message, { cause: error, isRetryable: true });
  }
}
