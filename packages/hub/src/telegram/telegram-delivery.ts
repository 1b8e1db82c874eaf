import type { Message } from 'grammy/types';
import type { Chat, Delivery, Receipt } from '../channels/channel.ts';
import { DeliveryError } from '../channels/delivery-error.ts';
import { readPlace } from './chat-place.ts';
import { DraftPad, draftIdOf, mayDraft } from './draft-pad.ts';
import { MessageCalls } from './message-calls.ts';
import { readMessageId, writeMessageId } from './message-id.ts';
import type { MessageIds } from './message-ids.ts';
import type { TelegramApi } from './telegram-api.ts';
import type { TelegramBody } from './telegram-body.ts';
import { writeMarkdownV2 } from './write-markdown-v2.ts';

/** How far beyond what we know a message of ours may have got, and how many numbers are tried at most. */
const PROBE_BEYOND = 10;
const MAX_PROBES = 60;

type TelegramPost = Delivery<TelegramBody>;

/** Brings posts into chats: as drafts, as messages, as changes; and finds out about what it does not know. */
export class TelegramDelivery {
  readonly #api: TelegramApi;
  readonly #calls: MessageCalls;
  readonly #ids: MessageIds;
  readonly #now: () => number;
  readonly #drafts: DraftPad;
  /** How far the search for a post has come, by its nonce. */
  readonly #probed = new Map<string, number>();
  readonly #busy = new Map<number, Promise<void>>();

  constructor(
    api: TelegramApi,
    ids: MessageIds,
    now: () => number,
    moved: (from: number, to: number) => void = () => {},
  ) {
    this.#api = api;
    this.#calls = new MessageCalls(api, moved, now);
    this.#ids = ids;
    this.#now = now;
    this.#drafts = new DraftPad(api);
  }

  /** The newest message there was before the first attempt. */
  hintOf(chat: Chat): number {
    return this.#ids.newest(readPlace(chat.chatId).chat_id);
  }

  /** Brings a post into its chat. Rejects with a `DeliveryError`. */
  async deliver(delivery: TelegramPost): Promise<Receipt> {
    const { chat, before, post } = delivery;
    this.#drafts.leave(chat.chatId);
    if (before?.receipt.isLasting !== true) return this.#alone(chat, () => this.#bring(delivery));
    const messageId = readMessageId(before.receipt.messageId, this.#api.botId);
    // Of another bot: its messages are not ours to change, and its numbers are other messages of ours.
    if (messageId === undefined) throw new DeliveryError({ type: 'gone' }, 'The message is one of another bot.');
    // A file stays as it is; and what only became final says what it said.
    if (post.body.type === 'text' && JSON.stringify(before.body) !== JSON.stringify(post.body))
      await this.#calls.edit(delivery, messageId);
    return this.#own(chat, messageId);
  }

  /** Ends what it does by itself. */
  close(): void {
    this.#drafts.close();
  }

  async #bring(delivery: TelegramPost): Promise<Receipt> {
    const { chat, uncertain } = delivery;
    const found = uncertain === undefined ? undefined : await this.#find(delivery, uncertain.hint);
    if (found !== undefined) return this.#own(chat, found);
    return (await this.#draft(delivery)) ?? this.#own(chat, await this.#calls.send(delivery));
  }

  #own(chat: Chat, messageId: number): Receipt {
    this.#ids.own(readPlace(chat.chatId).chat_id, messageId);
    return { messageId: writeMessageId(messageId, this.#api.botId), isLasting: true };
  }

  /** Topics are chats of their own for the hub and one for Telegram: what makes messages there does so one by one. */
  async #alone(chat: Chat, work: () => Promise<Receipt>): Promise<Receipt> {
    const { chat_id } = readPlace(chat.chatId);
    const mine = Promise.resolve(this.#busy.get(chat_id)).then(work);
    const settled = mine.then(
      () => {},
      () => {},
    );
    this.#busy.set(chat_id, settled);
    try {
      return await mine;
    } finally {
      if (this.#busy.get(chat_id) === settled) this.#busy.delete(chat_id);
    }
  }

  async #draft(delivery: TelegramPost): Promise<Receipt | undefined> {
    const { chat, post, nonce, signal } = delivery;
    const since = mayDraft(delivery, this.#now());
    if (since === undefined || post.body.type !== 'text' || this.#drafts.isOff) return undefined;
    const draft = {
      ...readPlace(chat.chatId),
      draft_id: draftIdOf(nonce),
      text: writeMarkdownV2(post.body.blocks),
    };
    return (await this.#drafts.write(chat.chatId, draft, signal)) ? { isLasting: false, data: { since } } : undefined;
  }

  /**
   * Finds a message that may have arrived although no answer came; undefined where there is none.
   *
   * The Bot API cannot read a chat, but an edit tells what is there: "not found" where there is no such message, "can't
   * be edited" where it is somebody else's, and where it is ours, it says what we want afterwards. Ours is among the
   * numbers after the hint, which was taken before the attempt. Every other message of ours in this chat is known by
   * its receipt, in the store where another process made it, since messages are made one at a time there, and is passed
   * over; so what can be edited is the one we look for.
   */
  async #find(delivery: TelegramPost, hint: unknown): Promise<number | undefined> {
    const { chat, nonce } = delivery;
    const { chat_id } = readPlace(chat.chatId);
    const known = new Set((await delivery.knownIds()).flatMap((id) => readMessageId(id, this.#api.botId) ?? []));
    for (const messageId of known) this.#ids.see(chat_id, messageId);
    const newest = this.#ids.newest(chat_id);
    const since = typeof hint === 'number' && hint > 0 ? hint : newest - PROBE_BEYOND;
    // Without any number that is known, nothing can be looked for.
    if (newest === 0 && since <= 0) return undefined;
    const first = Math.max(1, since + 1);
    const last = Math.min(Math.max(newest, since) + PROBE_BEYOND, first + MAX_PROBES);
    // Telegram may stop us in between; then it goes on where it was.
    for (let messageId = this.#probed.get(nonce) ?? first; messageId <= last; messageId += 1) {
      this.#probed.set(nonce, messageId);
      if (known.has(messageId) || this.#ids.isOurs(chat_id, messageId)) continue;
      if (!(await this.#isThere(delivery, messageId))) continue;
      this.#probed.delete(nonce);
      return messageId;
    }
    this.#probed.delete(nonce);
    return undefined;
  }

  async #isThere(delivery: TelegramPost, messageId: number): Promise<boolean> {
    try {
      const message = await this.#calls.edit(delivery, messageId, { isSearch: true });
      // One of another topic that is looked for as well; who looks for it brings it up to date again.
      return message === undefined || threadOf(message) === readPlace(delivery.chat.chatId).message_thread_id;
    } catch (error) {
      // A file where we look for a text, or the other way round, is not the one either.
      if (error instanceof DeliveryError && (error.problem.type === 'gone' || error.problem.type === 'refused'))
        return false;
      throw error;
    }
  }
}

function threadOf({ is_topic_message, message_thread_id }: Message): number | undefined {
  return is_topic_message === true ? message_thread_id : undefined;
}
