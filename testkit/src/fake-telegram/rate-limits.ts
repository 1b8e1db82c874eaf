import { BotApiError } from './bot-api-error.ts';

/** How much a bot may write. */
export interface TelegramLimits {
  /** To one chat: so many at once, and one more each second. */
  burstPerChat: number;
  perSecondPerChat: number;
  perMinutePerGroup: number;
  /** To all chats together. */
  perSecond: number;
}

const TELEGRAM_LIMITS: TelegramLimits = { burstPerChat: 3, perSecondPerChat: 1, perMinutePerGroup: 20, perSecond: 30 };

/** What a call counts as: a message or a change of one, or something that nobody keeps (a draft, "is typing"). */
export type CallWeight = 'message' | 'passing';

/**
 * Counts what a bot writes and refuses with 429 what is too much, as the Bot API's FAQ gives the numbers.
 *
 * Telegram does not publish how it counts. Here a call that was refused costs nothing, and an edit costs what a message
 * does. All of it follows the clock that is handed in.
 */
export class RateLimits {
  readonly #limits: TelegramLimits;
  readonly #now: () => number;
  readonly #left = new Map<number, { tokens: number; at: number }>();
  readonly #inGroups = new Map<number, number[]>();
  #overall: number[] = [];

  constructor(limits: Partial<TelegramLimits>, now: () => number) {
    this.#limits = { ...TELEGRAM_LIMITS, ...limits };
    this.#now = now;
  }

  /** Takes one call on, or throws 429 with the seconds to wait. */
  take(chatId: number, isGroup: boolean, weight: CallWeight): void {
    const now = this.#now();
    const { burstPerChat, perSecondPerChat, perMinutePerGroup, perSecond } = this.#limits;
    const waits: number[] = [];

    this.#overall = this.#overall.filter((at) => now - at < 1000);
    if (this.#overall.length >= perSecond) waits.push(1000 - (now - this.#overall[0]!));

    const before = this.#left.get(chatId) ?? { tokens: burstPerChat, at: now };
    const tokens = Math.min(burstPerChat, before.tokens + ((now - before.at) / 1000) * perSecondPerChat);
    const inGroup = (this.#inGroups.get(chatId) ?? []).filter((at) => now - at < 60_000);
    if (weight === 'message') {
      if (tokens < 1) waits.push(((1 - tokens) / perSecondPerChat) * 1000);
      if (isGroup && inGroup.length >= perMinutePerGroup) waits.push(60_000 - (now - inGroup[0]!));
    }
    if (waits.length > 0) throw tooManyRequests(Math.max(1, Math.ceil(Math.max(...waits) / 1000)));

    this.#overall.push(now);
    if (weight === 'passing') return;
    this.#left.set(chatId, { tokens: tokens - 1, at: now });
    if (isGroup) this.#inGroups.set(chatId, [...inGroup, now]);
  }
}

/** The answer to a bot that writes too much. */
export function tooManyRequests(retryAfter: number): BotApiError {
  return new BotApiError(429, `Too Many Requests: retry after ${retryAfter}`, { retry_after: retryAfter });
}
