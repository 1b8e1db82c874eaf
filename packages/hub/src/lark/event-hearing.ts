import { DragomanError, type JsonValue } from '@dragoman/protocol';
import type { ChannelHost, Language } from '../channels/channel.ts';
import type { Heard, PressAnswer } from '../channels/heard.ts';
import { PEOPLE_WORDS } from '../channels/people/people-words.ts';
import { heardFile } from './heard-file.ts';
import type { LarkApi } from './lark-api.ts';
import { EVENTS, memberEventSchema, messageEventSchema, pressEventSchema } from './lark-event-wire.ts';
import type { LarkPeople } from './lark-people.ts';
import { readPress, writePlace } from './lark-place.ts';
import { WORDS } from './lark-words.ts';
import { readMessage } from './read-message.ts';

/** Lark waits three seconds for the answer to a press; then the person sees an error. */
const PRESS_MS = 2500;

/**
 * Events of Lark in, what a person did out; the same for the long connection and for webhooks.
 *
 * An event counts as received when the hub has it: whoever called waits that long, and Lark sends it again if that fails.
 * One that comes again meanwhile gets the same answer, and messages of a chat are heard in their order.
 */
export class EventHearing {
  readonly #host: Pick<ChannelHost, 'hear' | 'log' | 'signal' | 'now'>;
  readonly #api: LarkApi;
  readonly #people: LarkPeople;
  readonly #pressMs: number;
  readonly #underWay = new Map<string, Promise<JsonValue>>();
  readonly #lines = new Map<string, Promise<unknown>>();
  /** When something last came. */
  lastHeardAt: number | undefined;

  constructor(parts: {
    host: Pick<ChannelHost, 'hear' | 'log' | 'signal' | 'now'>;
    api: LarkApi;
    people: LarkPeople;
    pressMs?: number;
  }) {
    this.#host = parts.host;
    this.#api = parts.api;
    this.#people = parts.people;
    this.#pressMs = parts.pressMs ?? PRESS_MS;
  }

  /** Hears an event, and gives what Lark is answered with. The fields of its header stand among its own. */
  async hear(type: string, event: Readonly<Record<string, unknown>>): Promise<JsonValue> {
    this.lastHeardAt = this.#host.now();
    const id = typeof event['event_id'] === 'string' ? event['event_id'] : undefined;
    const again = id === undefined ? undefined : this.#underWay.get(id);
    if (again !== undefined) return await again;
    const heard = this.#hear(type, event);
    if (id === undefined) return await heard;
    this.#underWay.set(id, heard);
    try {
      return await heard;
    } finally {
      this.#underWay.delete(id);
    }
  }

  async #hear(type: string, event: unknown): Promise<JsonValue> {
    switch (type) {
      case EVENTS.message:
        return await this.#hearMessage(event);
      case EVENTS.press:
        return await this.#hearPress(event);
      case EVENTS.joined:
      case EVENTS.left:
        return await this.#hearMember(type === EVENTS.joined ? 'joined' : 'left', event);
      default:
        return {};
    }
  }

  async #hearMessage(event: unknown): Promise<JsonValue> {
    const read = messageEventSchema.safeParse(event).data;
    const accountId = read?.sender.sender_id?.open_id;
    if (read === undefined || !accountId || (read.sender.sender_type ?? 'user') !== 'user') return {};
    const { message } = read;
    // Its turn is taken before anything is waited for: messages are heard as they came.
    return await this.#inLine(message.chat_id, async () => {
      const isPrivate = message.chat_type === 'p2p';
      const [botOpenId, name, chat] = await Promise.all([
        this.#people.botOpenId(),
        this.#people.name(accountId),
        isPrivate ? undefined : this.#people.chat(message.chat_id),
      ]);
      // Without its own id the bot cannot know whether it is meant. Lark sends the message again.
      if (botOpenId === undefined && !isPrivate && message.mentions)
        throw new DragomanError(
          'unavailable',
          'Could not read who the bot is from Lark; the message will be handled when Lark sends it again.',
        );
      const said = readMessage(message, botOpenId);
      if (said === undefined) {
        this.#host.log.debug(
          { channel: 'lark', type: message.message_type },
          'ignored a message of an unsupported type',
        );
        return {};
      }
      const isTopic = message.chat_type === 'topic_group' || (chat?.isTopicGroup === true && !!message.thread_id);
      await this.#host.hear({
        type: 'message',
        id: read.event_id,
        chat: {
          chatId: writePlace({
            chatId: message.chat_id,
            rootId: isTopic ? message.root_id || message.message_id : undefined,
          }),
          kind: isPrivate ? 'private' : 'group',
          title: chat?.title,
        },
        person: { accountId, name },
        messageId: message.message_id,
        text: said.text,
        files: said.resources.map((resource) => heardFile(this.#api, message.message_id, resource)),
        replyTo: message.parent_id || undefined,
        isForUs: isPrivate || said.mentionsBot,
      });
      return {};
    });
  }

  async #hearPress(event: unknown): Promise<JsonValue> {
    const read = pressEventSchema.safeParse(event).data;
    const accountId = read?.operator.open_id;
    const chatId = read?.context?.open_chat_id ?? read?.open_chat_id;
    const value = read === undefined ? undefined : actionOf(read.action.value);
    if (read === undefined || !accountId || !chatId || value === undefined) return {};
    const press = readPress(value, chatId);
    if (press === undefined) return toastOf('error', { en: PEOPLE_WORDS.en.pressOld, zh: PEOPLE_WORDS.zh.pressOld });
    const { action, kind, rootId } = press;
    const heard: Heard = {
      type: 'press',
      id: read.event_id,
      chat: { chatId: writePlace({ chatId, rootId }), kind },
      person: { accountId, name: this.#people.nameNow(accountId) },
      action,
      text: textOf(read.action),
    };
    return await this.#answerInTime(this.#host.hear(heard));
  }

  /** The card itself shows what came of it; the answer is only what pops up at once. */
  async #answerInTime(answer: Promise<PressAnswer | undefined>): Promise<JsonValue> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), this.#pressMs);
    });
    try {
      const first = await Promise.race([answer, late]);
      if (first !== 'late')
        return first === undefined
          ? {}
          : { toast: { type: first.isRefused ? 'error' : 'success', content: first.text } };
      answer.catch((error: unknown) => {
        this.#host.log.warn({ channel: 'lark', error: String(error) }, 'a slow button press failed');
      });
      return toastOf('info', { en: WORDS.en.working, zh: WORDS.zh.working });
    } finally {
      clearTimeout(timer);
    }
  }

  async #hearMember(type: 'joined' | 'left', event: unknown): Promise<JsonValue> {
    const read = memberEventSchema.safeParse(event).data;
    if (read === undefined) return {};
    const accountId = read.operator_id?.open_id ?? '';
    await this.#host.hear({
      type,
      id: read.event_id,
      chat: { chatId: read.chat_id, kind: 'group', title: read.name ?? undefined },
      person: { accountId, name: accountId === '' ? 'Lark' : await this.#people.name(accountId) },
    });
    return {};
  }

  async #inLine<Result>(chatId: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#lines.get(chatId) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#lines.set(chatId, mine);
    try {
      return await mine;
    } finally {
      if (this.#lines.get(chatId) === mine) this.#lines.delete(chatId);
    }
  }
}

/** What pops up, in the language of whoever pressed. */
function toastOf(type: 'info' | 'error', { en, zh }: Record<Language, string>): JsonValue {
  return { toast: { type, content: en, i18n: { en_us: en, zh_cn: zh } } };
}

/** What was written or chosen along with the press; of a form the first field that is not empty. */
function textOf(action: {
  form_value?: Readonly<Record<string, unknown>> | null | undefined;
  input_value?: string | null | undefined;
  option?: string | null | undefined;
}): string | undefined {
  const fields = Object.values(action.form_value ?? {}).flatMap((value) => {
    const text = Array.isArray(value) ? value.filter((item) => typeof item === 'string').join(', ') : value;
    return typeof text === 'string' && text.trim() !== '' ? [text] : [];
  });
  return fields.length > 0 ? fields.join('\n') : (action.input_value ?? action.option ?? undefined);
}

/** Lark hands back the value of the button, as an object or as its JSON. */
function actionOf(value: unknown): string | undefined {
  let read = value;
  if (typeof value === 'string') {
    try {
      read = JSON.parse(value);
    } catch {
      return undefined;
    }
  }
  const action = (read as { action?: unknown } | null)?.action;
  return typeof action === 'string' && action !== '' ? action : undefined;
}
