import { checkedMessageCard } from './checked-card.ts';
import { isStreaming } from './card-entity.ts';
import type { EventAnswer, EventDesk } from './event-desk.ts';
import { isJsonObject, type JsonObject, textOr } from './json-object.ts';
import { hex } from './hex.ts';
import type { LarkChat, LarkState, LarkUser, StoredMessage } from './lark-state.ts';
import { LarkRefusal } from './lark-refusal.ts';
import { replaceCard } from './message-routes.ts';
import { pressed } from './pressed.ts';
import { idsOf, receivedEvent } from './received-event.ts';

/** What a person says, where it is more than text. One of text, image, file, audio and post. */
export interface Saying {
  text?: string;
  image?: Uint8Array;
  file?: { bytes: Uint8Array; name: string };
  audio?: { bytes: Uint8Array; durationMs?: number };
  /** Rich text, in the platform's own form. */
  post?: JsonObject;
  mentionBot?: boolean;
  mention?: readonly LarkUser[];
  /** The message it answers, by id. */
  parent?: string;
  inThread?: boolean;
}

/** A message of a person, and whether the bot has it. */
export interface Said {
  messageId: string;
  /** In a group the bot hears only what mentions it, unless it has the scope for more. */
  isTold: boolean;
  isAcknowledged: boolean;
}

/** What a press came to. */
export interface PressOutcome {
  /** Shown for a moment. */
  toast: { type: string; content: string } | undefined;
  /** The card that was to take the place of the pressed one, and whether it did: not while it is being streamed. */
  card: JsonObject | undefined;
  isCardShown: boolean;
  /** What the person sees when something is wrong: 200341 no answer in time, 200671 an error, 200672 no good answer, 200673 no good card. */
  errorCode: number | undefined;
  /** Where the button leads, if it is a link; then nothing is sent. */
  url: string | undefined;
}

const TOASTS = new Set(['info', 'success', 'error', 'warning']);

/** What people do, and what the platform tells the bot about it. */
export class LarkPeople {
  readonly #state: LarkState;
  readonly #desk: EventDesk;

  constructor(state: LarkState, desk: EventDesk) {
    this.#state = state;
    this.#desk = desk;
  }

  async say(chatId: string, user: LarkUser, what: string | Saying): Promise<Said> {
    const saying = typeof what === 'string' ? { text: what } : what;
    const chat = this.#chat(chatId);
    const parent = saying.parent === undefined ? undefined : this.#message(saying.parent);
    const people = [...(saying.mentionBot === true ? [this.#state.bot] : []), ...(saying.mention ?? [])];
    const mentions = people.map((person, index) => ({
      key: `@_user_${index + 1}`,
      openId: person.openId,
      name: person.name,
    }));
    const marks = mentions.map((mention) => `${mention.key} `).join('');
    const threadId = parent?.threadId ?? (saying.inThread === true ? `omt_${hex(8)}` : undefined);
    if (parent !== undefined && threadId !== undefined) parent.threadId = threadId;
    const message = this.#state.addMessage({
      chatId,
      from: user.openId,
      ...this.#contentOf(saying, marks),
      mentions,
      parentId: parent?.messageId,
      rootId: parent === undefined ? undefined : (parent.rootId ?? parent.messageId),
      threadId,
    });
    const isTold = chat.hasBot && this.#isHeard(chat, saying);
    const answer = isTold
      ? await this.#desk.tell('im.message.receive_v1', receivedEvent(this.#state, message, user))
      : undefined;
    return { messageId: message.messageId, isTold, isAcknowledged: answer?.isAcknowledged ?? false };
  }

  async press(press: {
    chatId: string;
    user: LarkUser;
    messageId: string;
    target: string;
    form?: Readonly<Record<string, unknown>> | undefined;
    option?: string;
  }): Promise<PressOutcome> {
    const message = this.#message(press.messageId);
    if (message.isRecalled) throw new Error(`message ${press.messageId} was recalled: there is nothing to press`);
    if (message.chatId !== press.chatId)
      throw new Error(`message ${press.messageId} is in chat ${message.chatId}, not ${press.chatId}`);
    const entity = message.cardId === undefined ? undefined : this.#state.cards.get(message.cardId);
    if (entity === undefined) throw new Error(`message ${press.messageId} is no card`);
    const { action, url } = pressed(entity.card, press.target, press.form, press.option);
    const outcome: PressOutcome = { toast: undefined, card: undefined, isCardShown: false, errorCode: undefined, url };
    if (action === undefined) return outcome;
    const token = `c-${hex(20)}`;
    this.#state.updateTokens.set(token, {
      messageId: message.messageId,
      expiresAt: this.#state.now() + 1_800_000,
      uses: 0,
    });
    entity.presses += 1;
    let answer: EventAnswer;
    try {
      answer = await this.#desk.ask('card.action.trigger', {
        operator: { tenant_key: this.#state.tenantKey, ...idsOf(press.user) },
        token,
        action,
        host: 'im_message',
        context: { open_message_id: message.messageId, open_chat_id: message.chatId },
      });
    } finally {
      entity.presses -= 1;
    }
    if (!answer.isAcknowledged) return { ...outcome, errorCode: answer.code };
    const { body = {} } = answer;
    if (!isJsonObject(body)) return { ...outcome, errorCode: 200672 };
    const { toast, card } = body;
    if (toast !== undefined && (!isJsonObject(toast) || !TOASTS.has(textOr(toast['type'], 'info'))))
      return { ...outcome, errorCode: 200672 };
    if (isJsonObject(toast)) outcome.toast = { type: textOr(toast['type'], 'info'), content: textOr(toast['content']) };
    if (card === undefined) return outcome;
    const data = isJsonObject(card) && card['type'] === 'raw' ? card['data'] : undefined;
    if (!isJsonObject(data) || !this.#isGood(data)) return { ...outcome, errorCode: 200673 };
    const isCardShown = !isStreaming(this.#state, entity);
    if (isCardShown) replaceCard(this.#state, entity, data);
    this.#state.changed();
    return { ...outcome, card: data, isCardShown };
  }

  async recall(messageId: string): Promise<void> {
    const message = this.#message(messageId);
    message.isRecalled = true;
    this.#state.changed();
    await this.#desk.tell('im.message.recalled_v1', {
      message_id: messageId,
      chat_id: message.chatId,
      recall_time: String(this.#state.now()),
      recall_type: message.from === 'bot' ? 'group_owner' : 'message_owner',
    });
  }

  async kick(chatId: string): Promise<void> {
    const chat = this.#chat(chatId);
    chat.hasBot = false;
    await this.#desk.tell('im.chat.member.bot.deleted_v1', this.#membership(chat, undefined));
  }

  async invite(chatId: string, user: LarkUser): Promise<void> {
    const chat = this.#chat(chatId);
    chat.hasBot = true;
    await this.#desk.tell('im.chat.member.bot.added_v1', this.#membership(chat, user));
  }

  #membership(chat: LarkChat, user: LarkUser | undefined): Record<string, unknown> {
    return {
      chat_id: chat.chatId,
      operator_id: user === undefined ? null : idsOf(user),
      external: false,
      operator_tenant_key: this.#state.tenantKey,
      name: chat.name,
    };
  }

  #isHeard(chat: LarkChat, saying: Saying): boolean {
    const { scopes } = this.#state;
    if (chat.kind === 'p2p') return scopes.has('im:message.p2p_msg:readonly') || scopes.has('im:message.p2p_msg');
    if (scopes.has('im:message.group_msg') || scopes.has('im:message.group_msg:readonly')) return true;
    return (
      saying.mentionBot === true &&
      (scopes.has('im:message.group_at_msg:readonly') || scopes.has('im:message.group_at_msg'))
    );
  }

  #contentOf(saying: Saying, marks: string): Pick<StoredMessage, 'type' | 'content'> {
    const { image, file, audio, post } = saying;
    if (image !== undefined) {
      return {
        type: 'image',
        content: {
          image_key: this.#state.addFile('image', { bytes: image, name: 'image.png', mediaType: 'image/png' }),
        },
      };
    }
    if (file !== undefined) {
      const key = this.#state.addFile('file', { ...file, mediaType: 'application/octet-stream' });
      return { type: 'file', content: { file_key: key, file_name: file.name } };
    }
    if (audio !== undefined) {
      const key = this.#state.addFile('file', { bytes: audio.bytes, name: 'voice.opus', mediaType: 'audio/ogg' });
      return { type: 'audio', content: { file_key: key, duration: audio.durationMs ?? 1000 } };
    }
    if (post !== undefined) return { type: 'post', content: post };
    return { type: 'text', content: { text: marks + (saying.text ?? '') } };
  }

  #isGood(card: JsonObject): boolean {
    try {
      checkedMessageCard(this.#state, card);
      return true;
    } catch (error) {
      if (error instanceof LarkRefusal) return false;
      throw error;
    }
  }

  #chat(chatId: string): LarkChat {
    const chat = this.#state.chats.get(chatId);
    if (chat === undefined) throw new Error(`there is no chat ${chatId}`);
    return chat;
  }

  #message(messageId: string): StoredMessage {
    const message = this.#state.messages.get(messageId);
    if (message === undefined) throw new Error(`there is no message ${messageId}`);
    return message;
  }
}
