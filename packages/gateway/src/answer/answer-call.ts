import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ModelCall, ModelMessage } from '@dragoman/protocol';
import { callerOf, clientSignal, isTracing } from '@dragoman/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countTokens } from '../dialects/anthropic-messages/count-tokens.ts';
import type { ClientRequest, Dialect } from '../dialects/dialect.ts';
import type { Gateway } from '../gateway.ts';
import { CHARACTERS_PER_TOKEN } from '../metering/estimate-usage.ts';
import { newMeasure } from '../metering/meter-answer.ts';
import { noteCall } from '../metering/note-call.ts';
import { traceModelCall } from '../metering/trace-model-call.ts';
import { resolveAllowed } from '../policy/allowed-models.ts';
import type { Answering, AnswerOptions } from './answering.ts';
import { isRelayed } from './relay-to-target.ts';
import { sendAnswer, streamAnswer } from './send-answer.ts';

/** Above this, others are answered between the steps of a call. */
const LARGE_BYTES = 256 * 1024;

/** Says that a budget is nearly spent. */
const BUDGET_HEADER = 'x-dragoman-budget';

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
  const caller = callerOf(request);
  const route = resolveAllowed(client.asked, gateway.config(), caller);
  const mayBeRelayed = route.targets.some((target) => isRelayed(gateway, dialect, target));
  const decoded = mayBeRelayed ? undefined : client.decode();
  if (request.bodyBytes > LARGE_BYTES) await nextTurn(); // Reading it took a while.
  const reserving = gateway.budgets.reserve({ owner: caller, route });
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
    route: reservation?.route ?? route,
    prepared: undefined,
    redactions: 0,
    signal: clientSignal(reply),
    measure: newMeasure(),
    repairs: 0,
    error: undefined,
    attempts: 0,
    failures: [],
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
    failures: answering.failures,
    isStreamed: client.isStreamed,
    startedAt,
    measure: answering.measure,
    prompt: () => promptOf(answering),
    sentTokens: () => countSent(answering),
    error: answering.error,
    isCancelled: signal.aborted,
    redactions: answering.redactions,
    repairs: answering.repairs,
    reservation: answering.reservation,
  });
}

/** Larger requests are not read for a trace or an estimate alone. */
const MOST_READ_BYTES = 4 * 1024 * 1024;

function promptOf<Context>(answering: Answering<Context>): ModelMessage[] | undefined {
  return callOf(answering)?.prompt;
}

/** About how many tokens were asked with. */
function countSent<Context>(answering: Answering<Context>): number {
  const call = callOf(answering);
  return call === undefined ? Math.ceil(answering.request.bodyBytes / CHARACTERS_PER_TOKEN) : countTokens(call);
}

/** What was asked, also where it was passed on unread; nothing where it cannot be told in other words. */
function callOf<Context>({ prepared, decoded, client, request }: Answering<Context>): ModelCall | undefined {
  const known = prepared?.call ?? decoded?.call;
  if (known !== undefined) return known;
  if (request.bodyBytes > MOST_READ_BYTES) return undefined;
  try {
    return client.decode().call;
  } catch {
    return undefined;
  }
}
