import { setTimeout as wait } from 'node:timers/promises';
import type { ChatPlace } from './chat-place.ts';

/** Telegram takes about 30 calls a second from a bot, over all its chats. */
const CALLS_PER_SECOND = 25;

/** Lets calls through so many a second: as they come while there are few, and one after the other when there are many. */
export function callPace(perSecond: number = CALLS_PER_SECOND): (signal: AbortSignal) => Promise<void> {
  const each = 1000 / perSecond;
  /** When the calls so far would be through at an even pace. */
  let until = 0;
  return async (signal) => {
    signal.throwIfAborted();
    const now = performance.now();
    until = Math.max(until, now - 1000) + each;
    if (until > now) await wait(until - now, undefined, { signal });
  };
}

/** A group takes 20 messages and changes a minute, in all its topics together. */
const GROUP_EACH_MS = 3200;

/** The pace of a group: when it is whose turn among its topics. */
export class GroupPace {
  readonly #groups = new Map<number, { until: number; turns: Map<number, number> }>();

  /** Takes a turn; 0 where it is now, else after so many milliseconds, and it is kept until then. */
  take({ chat_id, message_thread_id: topic = 0 }: ChatPlace, now: number): number {
    if (chat_id > 0) return 0;
    let group = this.#groups.get(chat_id);
    if (group === undefined) this.#groups.set(chat_id, (group = { until: 0, turns: new Map() }));
    const { turns } = group;
    const turn = turns.get(topic);
    if (turn !== undefined) {
      if (now >= turn) turns.delete(topic);
      return Math.max(0, turn - now);
    }
    // After a silence two go at once.
    group.until = Math.max(group.until, now - 2 * GROUP_EACH_MS) + GROUP_EACH_MS;
    if (group.until <= now) return 0;
    turns.set(topic, group.until);
    return group.until - now;
  }
}
