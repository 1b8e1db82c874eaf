import { DragomanError, gatherAnswer, type ModelCall, type ModelSink, newId } from '@dragoman/protocol';
import { callerOf } from '@dragoman/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DecodedRequest, Dialect } from '../dialects/dialect.ts';
import type { Gateway } from '../gateway.ts';
import { type AnswerMeasure, meterAnswer, newMeasure } from '../metering/meter-answer.ts';
import { priceUsage } from '../metering/price-usage.ts';
import { prepareCall } from '../routing/prepare-call.ts';
import { resolveRoute, type Route } from '../routing/resolve-route.ts';
import { type Target, targetName } from '../routing/target.ts';
import { tryTargets } from '../routing/try-targets.ts';
import type { FlowControl } from '../upstreams/upstream.ts';
import { httpUpstream } from '../upstreams/upstream-registry.ts';
import { beginStream } from './begin-stream.ts';
import { clientSignal } from './client-signal.ts';
import { FirstEventGate } from './first-event-gate.ts';
import { relayBody, wantsHiddenUsage } from './relay-body.ts';
import { relayCall, type RelayedDialect } from './relay-call.ts';
import { StreamWriter } from './stream-writer.ts';

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
  const route = resolveRoute(decoded.asked, gateway.config());
  const { call, redactions } = prepareCall(decoded.call, route);
  if (redactions > 0) gateway.metrics.redactions.inc(redactions);
  const answering: Answering<Context> = {
    gateway,
    dialect,
    decoded,
    request,
    reply,
    options,
    route,
    call,
    redactions,
    signal: clientSignal(reply.raw),
    measure: newMeasure(),
    repairs: 0,
    attempts: 0,
    target: undefined,
  };
  try {
    if (decoded.isStreamed) await streamAnswer(answering);
    else await sendAnswer(answering);
  } catch (error) {
    answering.measure.finishReason = 'error';
    answering.measure.errorCode = error instanceof DragomanError ? error.code : 'internal';
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
  /** What is asked: the client's call, without secrets and with the route's settings. */
  call: ModelCall;
  redactions: number;
  signal: AbortSignal;
  measure: AnswerMeasure;
  repairs: number;
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
  return tryTargets(answering.route.targets, answering.signal, (target) => {
    answering.attempts++;
    answering.target = target;
    return tryTarget(answering, target, sink, begin, flow);
  });
}

async function tryTarget<Context>(
  answering: Answering<Context>,
  target: Target,
  sink: ModelSink,
  begin: () => void,
  flow: FlowControl | undefined,
): Promise<DragomanError | undefined> {
  const { gateway, dialect, decoded, call, signal } = answering;
  try {
    if (dialect.name === target.provider.type && gateway.upstreams.mayRelay) return await relay(answering, target);
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
  const { gateway, dialect, decoded, request, reply, route, redactions, signal, measure } = answering;
  const upstream = await httpUpstream(target.provider.type);
  return relayCall({
    caller: gateway.upstreams.http,
    upstream,
    dialect,
    decoded,
    target,
    path: upstream.relayPath!,
    body: relayBody(dialect.name as RelayedDialect, request.body, target.model, route, redactions > 0),
    isStreamed: decoded.isStreamed,
    hidesUsage: wantsHiddenUsage(dialect.name as RelayedDialect, request.body),
    request,
    reply,
    signal,
    measure,
  });
}

function noteUsage<Context>(answering: Answering<Context>, startedAt: number): void {
  const { gateway, dialect, decoded, route, target, measure, signal, repairs, redactions, attempts } = answering;
  const { userId, userName, tokenName } = callerOf(answering.request);
  gateway.usageLog.add({
    id: newId('call'),
    at: Date.now(),
    userId,
    userName,
    tokenName,
    dialect: dialect.name,
    route: route.name,
    target: target === undefined ? '' : targetName(target),
    isStreamed: decoded.isStreamed,
    usage: measure.usage,
    cost: priceUsage(measure.usage, target),
    firstEventMs: measure.firstEventAt === undefined ? undefined : measure.firstEventAt - startedAt,
    totalMs: performance.now() - startedAt,
    finishReason: signal.aborted ? 'cancelled' : (measure.finishReason ?? 'other'),
    errorCode: measure.errorCode,
    repairs,
    redactions,
    attempts,
  });
}
