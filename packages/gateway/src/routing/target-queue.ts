import type { DragomanError } from '@dragoman/protocol';
import { RefusedCall } from '../policy/refused-call.ts';
import { judgeFailure } from './judge-failure.ts';
import { knownContext } from './model-limits.ts';
import { orderTargets } from './order-targets.ts';
import type { Route } from './resolve-route.ts';
import { type Target, targetName } from './target.ts';
import type { Rest } from './target-rests.ts';
import type { TargetWatch } from './target-watch.ts';

/** The wait before a target is asked once more, where the provider names none. Half of it is left to chance. */
const RETRY_WAIT_MS = 600;

/** What to do next: ask a target, after a wait. */
export interface TargetTurn {
  target: Target;
  waitMs: number;
}

/** A call that looks for a target. */
export interface QueuedCall {
  route: Route;
  watch: TargetWatch;
  /** Nobody is passed over, and nobody asked twice: for tests of a route, and for calls that are tried again elsewhere. */
  asksEachOnce?: boolean;
}

/**
 * Whom one call asks, one after the other.
 *
 * Targets that rest are passed over. A conversation stays at the target that answered it last, unless one that the policy
 * prefers is to be tried again after its rest. A prompt that is too long for a target goes to those that are known to take
 * more. A target that cannot be told what the client asks, because only another protocol has words for it, is passed over;
 * the client hears of that where no other was asked. Where nobody else is left, a failure that may be over in a moment is followed by one more call to the same target.
 * Where all rest, the one that comes back first is asked all the same.
 */
export class TargetQueue {
  readonly #watch: TargetWatch;
  readonly #last: string | undefined;
  readonly #asksEachOnce: boolean;
  #left: readonly Target[];
  #error: DragomanError | undefined;
  #overflow: DragomanError | undefined;
  /** Set while the target that failed last may be asked once more. */
  #again: TargetTurn | undefined;
  #mayAskAgain: boolean;
  #mayAskResting = true;
  #isOver = false;

  constructor({ route, watch, asksEachOnce = false }: QueuedCall, conversation: string | undefined) {
    this.#watch = watch;
    this.#last = conversation === undefined ? undefined : watch.conversations.of(conversation);
    this.#asksEachOnce = asksEachOnce;
    this.#mayAskAgain = !asksEachOnce;
    this.#left = orderTargets(route, watch, conversation);
  }

  /** What ended the call when nobody is left. That a prompt is too long is worth more than why a larger model did not help. */
  get error(): DragomanError | undefined {
    return this.#overflow ?? this.#error;
  }

  next(): TargetTurn | undefined {
    if (this.#isOver) return undefined;
    const target = this.#nextWell();
    if (target !== undefined) return this.#take({ target, waitMs: 0 });
    if (this.#again !== undefined) {
      this.#mayAskAgain = false;
      return this.#take(this.#again);
    }
    if (!this.#mayAskResting) return undefined;
    this.#mayAskResting = false;
    this.#mayAskAgain = false; // It has failed a moment ago.
    const resting = this.#nextResting();
    return resting === undefined ? undefined : this.#take({ target: resting, waitMs: 0 });
  }

  /** A target gave no answer. */
  failed(target: Target, error: DragomanError): void {
    if (error instanceof RefusedCall && this.#error !== undefined) return; // What was said by one that was asked counts.
    this.#error = error;
    this.#again = undefined;
    if (error.code === 'context-overflow') {
      this.#overflow ??= error;
      const tooSmall = knownContext(target) ?? 0;
      this.#left = this.#left.filter((other) => (knownContext(other) ?? 0) > tooSmall);
    } else if (!error.isRetryable) this.#isOver = true;
    else if (this.#mayAskAgain) this.#again = this.#retryOf(target, error);
  }

  /** The next that does not rest: where it would be one that is well, the one that knows the conversation is preferred. */
  #nextWell(): Target | undefined {
    const { rests } = this.#watch;
    for (const target of this.#left) {
      const standing = this.#asksEachOnce ? 'well' : rests.standing(target);
      if (standing === 'due') return target;
      if (standing === 'resting') continue;
      const known = this.#left.find((other) => targetName(other) === this.#last);
      return known !== undefined && rests.standing(known) === 'well' ? known : target;
    }
    return undefined;
  }

  /**
   * The one that comes back first, rather one that did not ask to be left alone: its own refusal tells a client more than
   * ours. Where another has failed already, nobody is asked who is sure to refuse or does not answer at all.
   */
  #nextResting(): Target | undefined {
    let first: { target: Target; rest: Rest } | undefined;
    for (const target of this.#left) {
      const rest = this.#watch.rests.restOf(target);
      if (rest === undefined || (this.#error !== undefined && (rest.isAsked || rest.code === 'timed-out'))) continue;
      if (first === undefined || comesBefore(rest, first.rest)) first = { target, rest };
    }
    return first?.target;
  }

  #retryOf(target: Target, error: DragomanError): TargetTurn | undefined {
    const verdict = judgeFailure(error);
    if (verdict.kind !== 'failed' || !verdict.isPassing) return undefined;
    const spread = RETRY_WAIT_MS / 2;
    return { target, waitMs: (verdict.askedMs ?? spread) + this.#watch.random() * spread };
  }

  #take(turn: TargetTurn): TargetTurn {
    this.#left = this.#left.filter((other) => other !== turn.target);
    return turn;
  }
}

function comesBefore(one: Rest, other: Rest): boolean {
  return one.isAsked === other.isAsked ? one.until < other.until : other.isAsked;
}
