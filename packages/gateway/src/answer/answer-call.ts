import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DragomanError, gatherAnswer, type ModelCall, type ModelSink } from '@dragoman/protocol';
import { callerOf, clientSignal, isTracing } from '@dragoman/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Reservation } from '../budgets/budgets.ts';
import type { ClientRequest, DecodedRequest, Dialect } from '../dialects/dialect.ts';
import type { Gateway } from '../gateway.ts';
import { type AnswerMeasure, meterAnswer, newMeasure } from '../metering/meter-answer.ts';
import { noteCall } from '../metering/note-call.ts';
import { traceModelCall } from '../metering/trace-model-call.ts';
import { RefusedCall } from '../policy/refused-call.ts';
import { askTargets } from '../routing/ask-targets.ts';
import { conversationKey } from '../routing/conversation-key.ts';
import { prepareCall } from '../routing/prepare-call.ts';
import { resolveRoute, type Route } from '../routing/resolve-route.ts';
import type { Target } from '../routing/target.ts';
import type { JsonObject } from '../tools/json-object.ts';
import { besideChat } from '../upstreams/beside-chat.ts';
import { hideInError } from '../upstreams/provider-secrets.ts';
import type { FlowControl } from '../upstreams/upstream.ts';
import { httpUpstream, refuseUnwantedFiles } from '../upstreams/upstream-registry.ts';
import { beginStream } from './begin-stream.ts';
import { bodyHasFile } from './body-has-file.ts';
import { FirstEventGate } from './first-event-gate.ts';
import { relayBody, RELAYED_FIELDS, wantsHiddenUsage } from './relay-body.ts';
import { relayCall, type RelayedDialect } from './relay-call.ts';
import { StreamWriter } from './stream-writer.ts';
import { LEFT_OUT_HEADER, tellLeftOut } from './tell-left-out.ts';

/** Above this, others are answered between the steps of a call. */
const LARGE_BYTES = 256 * 1024;

/** Providers cache prompts from 1,024 tokens on, and a token is a byte at least: what is shorter is passed on as it is. */
const SMALLEST_CACHED_BYTES = 1024;

/** Says that a budget is nearly spent. */
const BUDGET_HEADER = 'x-dragoman-budget';

/** How a dialect changes an answer on its way, beyond encoding it. */
export interface AnswerOptions {
  /** A step between the model and the encoder, such as the repair of tool arguments. */
  step?: (next: ModelSink, onRepair: () => void) => ModelSink;
  /** Is told what the provider calls an answer that was passed on as it came. */
  onRelayed?: (target: Target, answerId: string) => void;
}

/**
 * One model call from a client's request to the end of its answer: route, redaction, targets in order, encoding,
 * metering. Throws what went wrong before the first byte; later it is part of the answer.
 */
export async function answerCall<Context>(
  gateway: Gateway,
  dialect: Dialect<Context>,
  client: ClientRequest<Context>,
  request: FastifyRequest,
  reply: FastifyReply,
  options: AnswerOptions = {},
): Promise<void> {
  const startedAt = performance.now();
  const route = resolveRoute(client.asked, gateway.config());
  const mayBeRelayed = route.targets.some((target) => isRelayed(gateway, dialect, target));
  const decoded = mayBeRelayed ? undefined : client.decode();
  if (request.bodyBytes > LARGE_BYTES) await nextTurn(); // Reading it took a while.
  const reserving = gateway.budgets.reserve({ owner: callerOf(request), route: route.name, targets: route.targets });
  const reservation = reserving && (await reserving);
  if (reservation?.warning !== undefined) reply.header(BUDGET_HEADER, reservation.warning);
  request.isRouted = true;
  const answering: Answering<Context> = {
    gateway,
    dialect,
    client,
    decoded,
    request,
    reply,
    options,
    route,
    prepared: undefined,
    redactions: 0,
    signal: clientSignal(reply),
    measure: newMeasure(),
    repairs: 0,
    error: undefined,
    attempts: 0,
    target: undefined,
    reservation,
    isNoted: false,
  };
  gateway.calls.began();
  await traceModelCall(dialect.name, client.asked, client.isStreamed, () => answer(answering, startedAt));
}

async function answer<Context>(answering: Answering<Context>, startedAt: number): Promise<void> {
  const note = () => noteUsage(answering, startedAt);
  // The end is heard of in the provider's events, which know nothing of the trace.
  answering.measure.onEnd = isTracing() ? AsyncLocalStorage.bind(note) : note;
  try {
    if (answering.client.isStreamed) await streamAnswer(answering);
    else await sendAnswer(answering);
  } catch (error) {
    answering.error = error;
    throw error;
  } finally {
    noteUsage(answering, startedAt);
  }
}

/** A call that is being answered. */
interface Answering<Context> {
  gateway: Gateway;
  dialect: Dialect<Context>;
  client: ClientRequest<Context>;
  /** The client's request, once a target was chosen that is not relayed to. */
  decoded: DecodedRequest<Context> | undefined;
  request: FastifyRequest;
  reply: FastifyReply;
  options: AnswerOptions;
  route: Route;
  /** Its call, without secrets and with the route's settings. */
  prepared: { call: ModelCall; redactions: number } | undefined;
  /** How many secrets were taken out of what the last target was sent. */
  redactions: number;
  signal: AbortSignal;
  measure: AnswerMeasure;
  repairs: number;
  /** What ended it before the answer had begun. */
  error: unknown;
  attempts: number;
  target: Target | undefined;
  /** Made where budgets apply. */
  reservation: Reservation | undefined;
  isNoted: boolean;
}

/** Where the answer of a target goes that is not relayed to. */
interface Outlet<Context> {
  /** Its first step, for the request as it was decoded. */
  open: (decoded: DecodedRequest<Context>) => ModelSink;
  /** Called when a target has accepted the call. */
  begin: () => void;
  flow: FlowControl | undefined;
}

async function streamAnswer<Context>(answering: Answering<Context>): Promise<void> {
  const { dialect, client, reply } = answering;
  const writer = new StreamWriter(reply.raw);
  let sink: ModelSink | undefined;
  const error = await findAnswer(answering, {
    open: (decoded) => (sink ??= lead(answering, dialect.encodeStream(writer.write, decoded))),
    begin: () => beginStream(reply, dialect.streamHeaders),
    flow: writer,
  });
  if (reply.raw.writableEnded) return; // It was relayed.
  if (error !== undefined) {
    if (!reply.raw.headersSent) throw error;
    if (sink === undefined) writer.write(dialect.encodeBreak!(error, client));
    else sink.push({ type: 'error', error });
  }
  writer.end();
}

async function sendAnswer<Context>(answering: Answering<Context>): Promise<void> {
  const { dialect, reply, signal } = answering;
  const gathered = gatherAnswer();
  const sink = lead(answering, gathered);
  const error = await findAnswer(answering, { open: () => sink, begin: () => {}, flow: undefined });
  if (error !== undefined) throw error;
  if (reply.sent || signal.aborted) return; // It was relayed, or nobody waits for it.
  if (gathered.answer.error !== undefined) throw gathered.answer.error;
  await reply.send(dialect.encodeResponse(gathered.answer, answering.decoded!));
}

/** The steps of an answer, from the last to the first. */
function lead<Context>(answering: Answering<Context>, encode: ModelSink): ModelSink {
  const stepped = answering.options.step?.(encode, () => answering.repairs++) ?? encode;
  return meterAnswer(stepped, answering.measure);
}

function findAnswer<Context>(
  answering: Answering<Context>,
  outlet: Outlet<Context>,
): Promise<DragomanError | undefined> {
  const { gateway, client, route, signal } = answering;
  return askTargets({
    route,
    watch: gateway.targets,
    isStreamed: client.isStreamed,
    conversation: () => conversationOf(answering),
    signal,
    attempt: async (target, begun) => {
      answering.attempts++;
      answering.target = target;
      const error = await tryTarget(answering, target, outlet, begun);
      if (error !== undefined) gateway.calls.targetFailed(target, hideInError(error, target.provider));
      return error;
    },
  });
}

async function tryTarget<Context>(
  answering: Answering<Context>,
  target: Target,
  outlet: Outlet<Context>,
  begun: () => void,
): Promise<DragomanError | undefined> {
  const { gateway, dialect, client, request, reply, route, signal } = answering;
  try {
    reply.removeHeader(LEFT_OUT_HEADER); // A target before this one may have left out something else.
    if (isRelayed(gateway, dialect, target)) return await relay(answering, target, begun);
    const decoded = (answering.decoded ??= decode(client));
    const { call, redactions } = (answering.prepared ??= await prepareCall(
      decoded.call,
      route,
      () => conversationOf(answering),
      signal,
    ));
    answering.redactions = redactions;
    const accepted = await gateway.upstreams.open(call, target, client.isStreamed, signal);
    if (decoded.leftOut !== undefined) tellLeftOut(decoded.leftOut, request, reply);
    outlet.begin();
    const gate = new FirstEventGate(outlet.open(decoded), begun);
    await accepted.run(gate, outlet.flow);
    return gate.earlyError;
  } catch (error) {
    if (error instanceof DragomanError) return error;
    throw error;
  }
}

function conversationOf<Context>({ request }: Answering<Context>): string | undefined {
  return conversationKey({ owner: callerOf(request), headers: request.headers, body: request.body });
}

function isRelayed<Context>(gateway: Gateway, dialect: Dialect<Context>, target: Target): boolean {
  return (dialect.relayed?.type ?? dialect.name) === target.provider.type && gateway.upstreams.mayRelay;
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

async function relay<Context>(
  answering: Answering<Context>,
  target: Target,
  begun: () => void,
): Promise<DragomanError | undefined> {
  const { gateway, dialect, client, request, reply, route, signal, measure, options } = answering;
  const name = dialect.name as RelayedDialect;
  const asked = request.body as JsonObject;
  refuseUnwantedFiles(
    target,
    () =>
      RELAYED_FIELDS[name].said.some((field) => bodyHasFile(asked[field])) || bodyHasFile({ images: asked['images'] }),
  );
  const upstream = await httpUpstream(target.provider.type);
  const marking = {
    markPrompt: request.bodyBytes < SMALLEST_CACHED_BYTES ? undefined : upstream.markPrompt,
    conversation: () => conversationOf(answering),
  };
  const body = await relayBody(name, asked, target, route, marking, signal);
  answering.redactions = body.redactions;
  const error = await relayCall({
    caller: gateway.upstreams.http,
    upstream,
    dialect,
    client,
    ...(dialect.relayed === undefined
      ? { target, path: client.relayPath ?? upstream.relayPath!(target, client.isStreamed) }
      : besideChat(target, dialect.relayed.path)),
    body: body.text,
    hidesUsage: wantsHiddenUsage(name, asked),
    request,
    reply,
    signal,
    measure,
    begun,
  });
  if (measure.answerId !== undefined) options.onRelayed?.(target, measure.answerId);
  return error;
}

/** Notes the call, once: before the client sees the end of its answer, or when there will be none. */
function noteUsage<Context>(answering: Answering<Context>, startedAt: number): void {
  if (answering.isNoted) return;
  answering.isNoted = true;
  const { gateway, dialect, client, route, signal } = answering;
  noteCall(gateway, {
    caller: callerOf(answering.request),
    dialect: dialect.name,
    route: route.name,
    target: answering.target,
    attempts: answering.attempts,
    isStreamed: client.isStreamed,
    startedAt,
    measure: answering.measure,
    error: answering.error,
    isCancelled: signal.aborted,
    redactions: answering.redactions,
    repairs: answering.repairs,
    reservation: answering.reservation,
  });
}
