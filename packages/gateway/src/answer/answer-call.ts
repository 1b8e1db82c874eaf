import { setImmediate as nextTurn } from 'node:timers/promises';
import { DragomanError, gatherAnswer, type ModelCall, type ModelSink } from '@dragoman/protocol';
import { callerOf, clientSignal } from '@dragoman/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DecodedRequest, Dialect } from '../dialects/dialect.ts';
import type { Gateway } from '../gateway.ts';
import { type AnswerMeasure, meterAnswer, newMeasure } from '../metering/meter-answer.ts';
import { noteCall } from '../metering/note-call.ts';
import { prepareCall } from '../routing/prepare-call.ts';
import { resolveRoute, type Route } from '../routing/resolve-route.ts';
import type { Target } from '../routing/target.ts';
import { tryTargets } from '../routing/try-targets.ts';
import { hideInError } from '../upstreams/provider-secrets.ts';
import type { FlowControl } from '../upstreams/upstream.ts';
import { httpUpstream, refuseUnwantedFiles } from '../upstreams/upstream-registry.ts';
import { beginStream } from './begin-stream.ts';
import { FirstEventGate } from './first-event-gate.ts';
import { relayBody, wantsHiddenUsage } from './relay-body.ts';
import { relayCall, type RelayedDialect } from './relay-call.ts';
import { StreamWriter } from './stream-writer.ts';

/** Above this, others are answered between the steps of a call. */
const LARGE_BYTES = 256 * 1024;

/** How a dialect changes an answer on its way, beyond encoding it. */
export interface AnswerOptions {
  /** A step between the model and the encoder, such as the repair of tool arguments. */
  step?: (next: ModelSink, onRepair: () => void) => ModelSink;
}

/**
 * One model call from a decoded request to the end of its answer: route, redaction, targets in order, encoding,
 * metering. Throws what went wrong before the first byte; later it is part of the answer.
 */
export async function answerCall<Context>(
  gateway: Gateway,
  dialect: Dialect<Context>,
  decoded: DecodedRequest<Context>,
  request: FastifyRequest,
  reply: FastifyReply,
  options: AnswerOptions = {},
): Promise<void> {
  const startedAt = performance.now();
  if (request.bodyBytes > LARGE_BYTES) await nextTurn(); // Reading it took a while.
  const route = resolveRoute(decoded.asked, gateway.config());
  request.isRouted = true;
  const answering: Answering<Context> = {
    gateway,
    dialect,
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
  };
  try {
    if (decoded.isStreamed) await streamAnswer(answering);
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
  decoded: DecodedRequest<Context>;
  request: FastifyRequest;
  reply: FastifyReply;
  options: AnswerOptions;
  route: Route;
  /** The client's call, without secrets and with the route's settings, once a target was asked that is not relayed to. */
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
}

async function streamAnswer<Context>(answering: Answering<Context>): Promise<void> {
  const { dialect, decoded, reply } = answering;
  const writer = new StreamWriter(reply.raw);
  const sink = lead(answering, dialect.encodeStream(writer.write, decoded));
  const begin = () => beginStream(reply, dialect.streamHeaders);
  const error = await askTargets(answering, sink, begin, writer);
  if (reply.raw.writableEnded) return; // It was relayed.
  if (error !== undefined) {
    if (!reply.raw.headersSent) throw error;
    sink.push({ type: 'error', error });
  }
  writer.end();
}

async function sendAnswer<Context>(answering: Answering<Context>): Promise<void> {
  const { dialect, decoded, reply, signal } = answering;
  const gathered = gatherAnswer();
  const error = await askTargets(answering, lead(answering, gathered), () => {}, undefined);
  if (error !== undefined) throw error;
  if (reply.sent || signal.aborted) return; // It was relayed, or nobody waits for it.
  if (gathered.answer.error !== undefined) throw gathered.answer.error;
  await reply.send(dialect.encodeResponse(gathered.answer, decoded));
}

/** The steps of an answer, from the last to the first. */
function lead<Context>(answering: Answering<Context>, encode: ModelSink): ModelSink {
  const stepped = answering.options.step?.(encode, () => answering.repairs++) ?? encode;
  return meterAnswer(stepped, answering.measure);
}

function askTargets<Context>(
  answering: Answering<Context>,
  sink: ModelSink,
  begin: () => void,
  flow: FlowControl | undefined,
): Promise<DragomanError | undefined> {
  return tryTargets(answering.route.targets, answering.signal, async (target) => {
    answering.attempts++;
    answering.target = target;
    const error = await tryTarget(answering, target, sink, begin, flow);
    if (error !== undefined) answering.gateway.calls.targetFailed(target, hideInError(error, target.provider));
    return error;
  });
}

async function tryTarget<Context>(
  answering: Answering<Context>,
  target: Target,
  sink: ModelSink,
  begin: () => void,
  flow: FlowControl | undefined,
): Promise<DragomanError | undefined> {
  const { gateway, dialect, decoded, route, signal } = answering;
  try {
    if (dialect.name === target.provider.type && gateway.upstreams.mayRelay) return await relay(answering, target);
    const { call, redactions } = (answering.prepared ??= await prepareCall(decoded.call, route, signal));
    answering.redactions = redactions;
    const accepted = await gateway.upstreams.open(call, target, decoded.isStreamed, signal);
    begin();
    const gate = new FirstEventGate(sink);
    await accepted.run(gate, flow);
    return gate.earlyError;
  } catch (error) {
    if (error instanceof DragomanError) return error;
    throw error;
  }
}

async function relay<Context>(answering: Answering<Context>, target: Target): Promise<DragomanError | undefined> {
  const { gateway, dialect, decoded, request, reply, route, signal, measure } = answering;
  refuseUnwantedFiles(decoded.call, target);
  const upstream = await httpUpstream(target.provider.type);
  const body = await relayBody(dialect.name as RelayedDialect, request.body, target.model, route, signal);
  answering.redactions = body.redactions;
  return relayCall({
    caller: gateway.upstreams.http,
    upstream,
    dialect,
    decoded,
    target,
    path: upstream.relayPath!,
    body: body.text,
    isStreamed: decoded.isStreamed,
    hidesUsage: wantsHiddenUsage(dialect.name as RelayedDialect, request.body),
    request,
    reply,
    signal,
    measure,
  });
}

function noteUsage<Context>(answering: Answering<Context>, startedAt: number): void {
  const { gateway, dialect, decoded, route, signal } = answering;
  noteCall(gateway, {
    caller: callerOf(answering.request),
    dialect: dialect.name,
    route: route.name,
    target: answering.target,
    attempts: answering.attempts,
    isStreamed: decoded.isStreamed,
    startedAt,
    measure: answering.measure,
    error: answering.error,
    isCancelled: signal.aborted,
    redactions: answering.redactions,
    repairs: answering.repairs,
  });
}
