import type { ModelCall, ModelSink } from '@dragoman/protocol';
import { callerOf } from '@dragoman/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Reservation } from '../budgets/budgets.ts';
import type { ClientRequest, DecodedRequest, Dialect } from '../dialects/dialect.ts';
import type { Gateway } from '../gateway.ts';
import type { CallFailure } from '@dragoman/protocol/console';
import type { AnswerMeasure } from '../metering/meter-answer.ts';
import { conversationKey } from '../routing/conversation-key.ts';
import type { Route } from '../routing/resolve-route.ts';
import type { Target } from '../routing/target.ts';

/** How a dialect changes an answer on its way, beyond encoding it. */
export interface AnswerOptions {
  /** A step between the model and the encoder, such as the repair of tool arguments. */
  step?: (next: ModelSink, onRepair: () => void) => ModelSink;
  /** Is told what the provider calls an answer that was passed on as it came. */
  onRelayed?: (target: Target, answerId: string) => void;
}

/** A call that is being answered. */
export interface Answering<Context> {
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
  /** Why targets did not answer, or broke off. */
  failures: CallFailure[];
  target: Target | undefined;
  /** Made where budgets apply. */
  reservation: Reservation | undefined;
  isNoted: boolean;
}

/** Names the conversation that the call belongs to, where the client lets it be known. */
export function conversationOf<Context>({ request }: Answering<Context>): string | undefined {
  return conversationKey({ owner: callerOf(request), headers: request.headers, body: request.body });
}
