import type { Delivery } from '../channels/channel.ts';
import { refusalOf, type TelegramApi, toDeliveryError } from './telegram-api.ts';
import type { TelegramBody } from './telegram-body.ts';

/** How long a post is only a draft. After that it is a message, which rings, and stays. */
const DRAFT_MS = 20_000;
/** A draft is gone after half a minute; while nothing new is said, it is written again. */
const REFRESH_MS = 20_000;
const MAX_REFRESHES = 30;

interface Draft {
  chat_id: number;
  message_thread_id?: number;
  draft_id: number;
  text: string;
}

/**
 * Drafts: text that a person sees being written, in private chats. Telegram animates it, and no message says "edited".
 *
 * Older servers have no drafts, and some bots may not write any. Once one was refused, there are none any more.
 */
export class DraftPad {
  readonly #api: TelegramApi;
  readonly #refreshMs: number;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #closing = new AbortController();
  #isOff = false;

  constructor(api: TelegramApi, refreshMs: number = REFRESH_MS) {
    this.#api = api;
    this.#refreshMs = refreshMs;
  }

  get isOff(): boolean {
    return this.#isOff;
  }

  /** Writes a draft; false where there can be none. Rejects with a `DeliveryError`. */
  async write(chatId: string, draft: Draft, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#api.call('sendMessageDraft', { ...draft, parse_mode: 'MarkdownV2' }, signal);
    } catch (error) {
      const code = refusalOf(error)?.code;
      if (code !== 400 && code !== 404) throw toDeliveryError(error, true);
      this.#isOff = true;
      return false;
    }
    this.#refresh(chatId, draft, MAX_REFRESHES);
    return true;
  }

  /** The draft of a chat is not needed any more: it was said for good, or is about to be. */
  leave(chatId: string): void {
    clearTimeout(this.#timers.get(chatId));
    this.#timers.delete(chatId);
  }

  close(): void {
    this.#closing.abort();
    for (const chatId of this.#timers.keys()) this.leave(chatId);
  }

  #refresh(chatId: string, draft: Draft, left: number): void {
    this.leave(chatId);
    if (left === 0 || this.#closing.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#api.call('sendMessageDraft', { ...draft, parse_mode: 'MarkdownV2' }, this.#closing.signal).catch(() => {});
      this.#refresh(chatId, draft, left - 1);
    }, this.#refreshMs);
    timer.unref();
    this.#timers.set(chatId, timer);
  }
}

/** Since when a post is a draft, where it may be one. */
export function mayDraft(delivery: Delivery<TelegramBody>, now: number): number | undefined {
  const { chat, post, isLast, before, uncertain } = delivery;
  const { key, body, isFinal } = post;
  if (chat.kind !== 'private' || isFinal || !isLast || uncertain !== undefined) return undefined;
  if (!key.startsWith('part ') || body.type !== 'text' || body.buttons.length > 0) return undefined;
  const data = before?.receipt.data;
  const since = typeof data === 'object' && data !== null && !Array.isArray(data) ? data['since'] : undefined;
  const from = typeof since === 'number' ? since : now;
  return now - from < DRAFT_MS ? from : undefined;
}

/** A number that is this post's own, however often it is written. */
export function draftIdOf(nonce: string): number {
  return Number.parseInt(nonce.replaceAll('-', '').slice(0, 8), 16) & 0x7f_ff_ff_ff || 1;
}
