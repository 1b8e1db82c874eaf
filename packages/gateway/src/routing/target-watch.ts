import { setTimeout as delay } from 'node:timers/promises';
import { BeginTimes } from './begin-times.ts';
import { ConversationTargets } from './conversation-targets.ts';
import { TargetRests } from './target-rests.ts';

/** What the choice of a target depends on beside what was learned. */
export interface TargetWatchOptions {
  /** Milliseconds since 1970. */
  now?: () => number;
  /** From 0 up to 1. */
  random?: () => number;
  /** Rejects when the signal is aborted. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** What a process has learned about the targets it asks. Nothing of it is kept over a restart. */
export class TargetWatch {
  readonly rests: TargetRests;
  readonly beginTimes: BeginTimes;
  readonly conversations: ConversationTargets;
  readonly now: () => number;
  readonly random: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;

  constructor({
    now = Date.now,
    random = Math.random,
    wait = (ms, signal) => delay(ms, undefined, { signal }),
  }: TargetWatchOptions = {}) {
    this.rests = new TargetRests(now);
    this.beginTimes = new BeginTimes(now);
    this.conversations = new ConversationTargets(now);
    this.now = now;
    this.random = random;
    this.wait = wait;
  }
}
