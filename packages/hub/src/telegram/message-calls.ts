import { InputFile } from 'grammy';
import type { Message } from 'grammy/types';
import type { Chat, Delivery } from '../channels/channel.ts';
import { DeliveryError } from '../channels/delivery-error.ts';
import { GroupPace } from './call-pace.ts';
import { type ChatPlace, readPlace } from './chat-place.ts';
import { fileName, lineBody, markupOf, replyOf } from './message-payload.ts';
import { isSame, refusalOf, type TelegramApi, toDeliveryError } from './telegram-api.ts';
import type { FileBody, TelegramBody, TextBody } from './telegram-body.ts';
import { TELEGRAM_WORDS } from './telegram-words.ts';
import { writeMarkdownV2, writePlain } from './write-markdown-v2.ts';

const MAX_PHOTO_BYTES = 10_000_000;
const MAX_FILE_BYTES = 50_000_000;
const PHOTOS = new Set(['image/png', 'image/jpeg', 'image/webp']);

/** So long it takes at most until the hub writes to the new group instead. */
const MOVE_MS = 2000;

const NO_PREVIEW = { link_preview_options: { is_disabled: true } };

type TelegramPost = Delivery<TelegramBody>;

/** Messages in chats: sent and changed. All of it rejects with a `DeliveryError`. */
export class MessageCalls {
  readonly #api: TelegramApi;
  readonly #moved: (from: number, to: number) => void;
  readonly #now: () => number;
  readonly #pace = new GroupPace();

  /** Groups get another id when they grow; whoever writes to the old one is told, and that is told on. */
  constructor(api: TelegramApi, moved: (from: number, to: number) => void, now: () => number) {
    this.#api = api;
    this.#now = now;
    this.#moved = moved;
  }

  /** Sends a post; the id of the message. */
  async send(delivery: TelegramPost): Promise<number> {
    const { body } = delivery.post;
    this.#takeTurn(delivery.chat);
    return body.type === 'file' ? this.#sendFile(delivery, body) : this.#sendText(delivery, body);
  }

  /**
   * Makes a message say what a post says. The message as it is then; nothing where it said that already. Who only looks for
   * a message takes no turn of the group: mostly there is none.
   */
  async edit(delivery: TelegramPost, messageId: number, { isSearch = false } = {}): Promise<Message | undefined> {
    const { chat, signal, post } = delivery;
    const { body } = post;
    if (!isSearch) this.#takeTurn(chat);
    return this.#once(chat, true, async ({ chat_id }) => {
      const message = { chat_id, message_id: messageId };
      try {
        const answer =
          body.type === 'file'
            ? await this.#api.call('editMessageCaption', { ...message, caption: body.name }, signal)
            : await this.#written(body, (text) =>
                this.#api.call(
                  'editMessageText',
                  { ...message, ...text, ...markupOf(body, delivery), ...NO_PREVIEW },
                  signal,
                ),
              );
        return answer === true ? undefined : answer;
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === undefined || !isSame(refusal)) throw error;
        return undefined;
      }
    });
  }

  /** A message that is tried in several forms takes one turn. */
  #takeTurn({ chatId }: Chat): void {
    const afterMs = this.#pace.take(readPlace(chatId), this.#now());
    if (afterMs > 0)
      throw new DeliveryError({ type: 'later', afterMs }, 'Telegram allows 20 messages a minute in a group.');
  }

  #sendText(delivery: TelegramPost, body: TextBody): Promise<number> {
    const payload = { ...markupOf(body, delivery), ...replyOf(delivery, this.#api.botId), ...NO_PREVIEW };
    return this.#once(delivery.chat, false, async (place) => {
      const { message_id } = await this.#written(body, (text) =>
        this.#api.call('sendMessage', { ...place, ...text, ...payload }, delivery.signal),
      );
      return message_id;
    });
  }

  async #sendFile(delivery: TelegramPost, body: FileBody): Promise<number> {
    const { chat, signal, readAttachment } = delivery;
    const words = TELEGRAM_WORDS[chat.language];
    const say = (text: string) => this.#sendText(delivery, lineBody(text, body.link, words.inConsole));
    let bytes: Uint8Array;
    try {
      bytes = body.data === undefined ? (await readAttachment(body.url!)).bytes : Buffer.from(body.data, 'base64');
    } catch {
      return say(words.noSuchFile(body.name));
    }
    if (bytes.length === 0) return say(words.noSuchFile(body.name));
    if (bytes.length > MAX_FILE_BYTES) return say(words.notSent(body.name, (bytes.length / 1e6).toFixed(1)));
    const isPhoto = PHOTOS.has(body.mediaType) && bytes.length <= MAX_PHOTO_BYTES;
    return this.#once(chat, false, async (place) => {
      const rest = { ...place, ...replyOf(delivery, this.#api.botId), caption: body.name };
      // A file is read once, so every attempt has one of its own.
      const file = () => new InputFile(bytes, fileName(body));
      try {
        if (isPhoto) return (await this.#api.call('sendPhoto', { ...rest, photo: file() }, signal)).message_id;
      } catch (error) {
        // Not every picture is one for Telegram: too narrow, too large, or of a kind it cannot read.
        if (!isRefused(error)) throw error;
      }
      return (await this.#api.call('sendDocument', { ...rest, document: file() }, signal)).message_id;
    });
  }

  /** As MarkdownV2, and where Telegram does not take that, as plain text. */
  async #written<Sent>(
    { blocks }: TextBody,
    attempt: (text: { text: string; parse_mode?: 'MarkdownV2' }) => Promise<Sent>,
  ): Promise<Sent> {
    try {
      return await attempt({ text: writeMarkdownV2(blocks), parse_mode: 'MarkdownV2' });
    } catch (error) {
      if (!isRefused(error)) throw error;
      return attempt({ text: writePlain(blocks) });
    }
  }

  /**
   * One call. Where the chat is another one now, nothing was written: messages have other numbers there, so it waits until
   * the hub has moved what it knows of the chat.
   */
  async #once<Sent>({ chatId }: Chat, mayRepeat: boolean, attempt: (place: ChatPlace) => Promise<Sent>): Promise<Sent> {
    const place = readPlace(chatId);
    try {
      return await attempt(place);
    } catch (error) {
      const movedTo = refusalOf(error)?.movedTo;
      if (movedTo === undefined) throw toDeliveryError(error, mayRepeat);
      this.#moved(place.chat_id, movedTo);
      throw new DeliveryError({ type: 'later', afterMs: MOVE_MS }, 'The group is a supergroup now.');
    }
  }
}

/** Telegram does not take this content; another form of it may do. */
function isRefused(error: unknown): boolean {
  const refusal = refusalOf(error);
  if (refusal === undefined || refusal.movedTo !== undefined || isSame(refusal)) return false;
  return toDeliveryError(error, false).problem.type === 'refused';
}
