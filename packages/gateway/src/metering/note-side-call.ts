import { DragomanError } from '@dragoman/protocol';
import type { CallFailure } from '@dragoman/protocol/console';
import type { FastifyRequest } from 'fastify';
import { askTargets } from '../routing/ask-targets.ts';
import type { Route } from '../routing/resolve-route.ts';
import type { Target } from '../routing/target.ts';
import { TargetWatch } from '../routing/target-watch.ts';
import { hideInError } from '../upstreams/provider-secrets.ts';
import type { CallBook } from './call-book.ts';
import { addFailure, callFailure } from './call-failure.ts';
import { type AnswerMeasure, newMeasure } from './meter-answer.ts';
import { type CallOwner, noteCall } from './note-call.ts';
import { traceModelCall } from './trace-model-call.ts';

/** A call beside those of the chat, such as for vectors or for what was said in a recording. */
export interface SideCall {
  /** How these calls are told from others, where the dialect stands. */
  dialect: string;
  /** "provider/model". */
  model: string;
  /** Who may be asked. */
  route: Route;
  /** A target is asked once; whoever makes the call asks again where that is right. */
  asksEachOnce?: boolean;
  /** Where the call is noted, whose it is, and the client's request where one asked; without it it is not. */
  notes: { book: CallBook; caller: CallOwner; request?: FastifyRequest } | undefined;
  redactions?: number;
  signal: AbortSignal;
  toError(thrown: unknown, target: Target): DragomanError;
}

/** Makes the call at a target of the route, where no budget forbids it, and notes how it ended. */
export function noteSideCall<Result>(
  side: SideCall,
  call: (target: Target, measure: AnswerMeasure) => Promise<Result>,
): Promise<Result> {
  return traceModelCall(side.dialect, side.model, false, () => callAndNote(side, call));
}

async function callAndNote<Result>(
  { dialect, model, route: asked, asksEachOnce = false, notes, redactions = 0, signal, toError }: SideCall,
  call: (target: Target, measure: AnswerMeasure) => Promise<Result>,
): Promise<Result> {
  const { book, caller } = notes ?? {};
  const reserving = caller && book?.budgets.reserve({ owner: caller, route: asked });
  const reservation = reserving && (await reserving);
  const route = reservation?.route ?? asked;
  if (notes?.request !== undefined) notes.request.isRouted = true;
  const startedAt = performance.now();
  notes?.book.calls.began();
  const measure = newMeasure();
  let target: Target | undefined;
  let attempts = 0;
  const failures: CallFailure[] = [];
  let result: { value: Result } | undefined;
  let error: DragomanError | undefined;
  try {
    error = await askTargets({
      route,
      watch: notes?.book.targets ?? new TargetWatch(),
      asksEachOnce,
      isStreamed: false,
      conversation: () => undefined,
      signal,
      attempt: async (next) => {
        target = next;
        attempts++;
        const askedAt = performance.now();
        try {
          result = { value: await call(next, measure) };
          return undefined;
        } catch (thrown) {
          const failure = toError(thrown, next);
          notes?.book.calls.targetFailed(next, failure);
          addFailure(failures, callFailure(next, hideInError(failure, next.provider), performance.now() - askedAt));
          return failure;
        }
      },
    });
    if (result === undefined) throw error ?? new DragomanError('cancelled', 'The call was cancelled.');
    measure.firstEventAt = performance.now();
    measure.finishReason = 'stop';
    return result.value;
  } finally {
    if (notes !== undefined)
      noteCall(notes.book, {
        caller: notes.caller,
        dialect,
        route: model,
        target,
        attempts,
        failures,
        isStreamed: false,
        startedAt,
        measure,
        error,
        isCancelled: error?.code === 'cancelled',
        redactions,
        repairs: 0,
        reservation,
      });
  }
}
