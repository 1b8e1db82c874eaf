import { DragomanError } from '@dragoman/protocol';
import { randomBytes } from 'node:crypto';
import type { BotApi, CallbackAnswer } from './bot-api.ts';
import { encodeMessage } from './encode-message.ts';
import { readImageSize } from './read-image-size.ts';
import { settleText } from './settle-text.ts';
import type { KeptChat, KeptFile, KeptMessage, Membership } from './telegram-world.ts';
import type { TelegramChat, TelegramUser } from './telegram-wire.ts';

/** Something a person writes or sends. */
export interface Said {
  text?: string;
  photo?: Uint8Array;
  document?: { bytes: Uint8Array; name: string; mediaType?: string };
  voice?: { bytes: Uint8Array; seconds?: number; mediaType?: string };
  /** Below a file. */
  caption?: string;
  /** The message it answers. */
  replyTo?: number;
  /** Files that are sent together have the same one. */
  mediaGroup?: string;
  /** The topic it is written in. */
  thread?: number;
}

/** A chat or a person, whose private chat is meant. */
export type Place = Pick<TelegramChat | TelegramUser, 'id'>;

/** A person writes. Returns the id of the message. In a group the bot is told only what is for it. */
export function say(api: BotApi, place: Place, user: TelegramUser, said: string | Said): number {
  const { world } = api;
  const kept = world.chat(place.id);
  const what: Said = typeof said === 'string' ? { text: said } : said;
  if (kept.membership === 'unopened') kept.membership = 'in';
  const message = world.addMessage(kept, {
    from: user,
    text: settleText({ text: what.text ?? what.caption ?? '', entities: [] }),
    file: keepFile(api, what),
    buttons: [],
    replyTo: what.replyTo === undefined ? undefined : messageOf(kept, what.replyTo),
    threadId: what.thread,
    mediaGroup: what.mediaGroup,
    service: undefined,
  });
  if (kept.membership === 'in' && isHeard(api, kept, message)) {
    api.updates.push('message', encodeMessage(kept, message));
  }
  world.changed();
  return message.messageId;
}

/** A person opens a topic. Returns its id, which is that of the message that tells of it. */
export function addTopic(api: BotApi, place: Place, by: TelegramUser, name: string): number {
  const kept = api.world.chat(place.id);
  const message = api.world.openTopic(kept, by, { name, icon_color: 7_322_096 });
  api.updates.push('message', encodeMessage(kept, message));
  api.world.changed();
  return message.messageId;
}

/** A person changes what they wrote. */
export function edit(api: BotApi, place: Place, messageId: number, text: string): void {
  const kept = api.world.chat(place.id);
  const message = messageOf(kept, messageId);
  message.text = settleText({ text, entities: [] });
  message.editDate = api.world.seconds();
  message.edits += 1;
  if (kept.membership === 'in' && isHeard(api, kept, message)) {
    api.updates.push('edited_message', encodeMessage(kept, message));
  }
  api.world.changed();
}

/** A person presses a button, by its text or its number. Resolves with what the bot answers. */
export async function press(
  api: BotApi,
  place: Place,
  user: TelegramUser,
  messageId: number,
  button: string | number,
  limitMs: number,
): Promise<CallbackAnswer> {
  const kept = api.world.chat(place.id);
  const message = messageOf(kept, messageId);
  const buttons = message.buttons.flat();
  const pressed = typeof button === 'number' ? buttons[button] : buttons.find((one) => one.text === button);
  if (pressed === undefined) {
    const there = buttons.map((one) => `"${one.text}"`).join(', ');
    throw new DragomanError('not-found', `message ${messageId} has no button ${button}; it has: ${there || 'none'}`);
  }
  if (pressed.url !== undefined) return { url: pressed.url };
  const id = randomBytes(8).readBigUInt64BE().toString();
  const answered = new Promise<CallbackAnswer>((resolve) => api.presses.set(id, resolve));
  api.updates.push('callback_query', {
    id,
    from: user,
    message: encodeMessage(kept, message),
    chat_instance: String(kept.chat.id),
    data: pressed.callback_data,
  });
  let answer: CallbackAnswer | undefined;
  void answered.then((given) => {
    answer = given;
    api.world.changed();
  });
  try {
    return await api.world.until(() => answer, limitMs);
  } catch (cause) {
    throw new DragomanError('timed-out', `nobody answered the press of "${pressed.text}" within ${limitMs} ms`, {
      cause,
    });
  } finally {
    api.presses.delete(id);
  }
}

/** Somebody changes how the bot stands in a chat: blocks it, throws it out, lets it in. */
export function setMembership(api: BotApi, place: Place, by: TelegramUser, membership: Membership): void {
  const kept = api.world.chat(place.id);
  const before = kept.membership;
  if (before === membership) return;
  kept.membership = membership;
  const { bot } = api.world;
  const change = {
    chat: kept.chat,
    from: by,
    date: api.world.seconds(),
    old_chat_member: { user: bot, status: memberStatus(before) },
    new_chat_member: { user: bot, status: memberStatus(membership) },
  };
  api.updates.push('my_chat_member', change);
  if (membership === 'in' && kept.chat.type !== 'private') {
    const told = api.world.addService(kept, by, { new_chat_members: [bot] });
    api.updates.push('message', encodeMessage(kept, told));
  }
  api.world.changed();
}

/** A group has become another one: a message in each says so. */
export function tellMigration(api: BotApi, old: KeptChat, kept: KeptChat, by: TelegramUser): void {
  for (const [chat, service] of [
    [old, { migrate_to_chat_id: kept.chat.id }],
    [kept, { migrate_from_chat_id: old.chat.id }],
  ] as const) {
    api.updates.push('message', encodeMessage(chat, api.world.addService(chat, by, service)));
  }
  api.world.changed();
}

/** A message of a chat; who names one that is not there is told. */
export function messageOf(kept: KeptChat, messageId: number): KeptMessage {
  const message = kept.messages.get(messageId);
  if (message === undefined) throw new DragomanError('not-found', `chat ${kept.chat.id} has no message ${messageId}`);
  return message;
}

function memberStatus(membership: Membership): string {
  if (membership === 'in') return 'member';
  return membership === 'blocked' || membership === 'kicked' ? 'kicked' : 'left';
}

/** In privacy mode a bot in a group hears commands, answers to its messages, and what names it. */
function isHeard(api: BotApi, kept: KeptChat, { text, replyTo }: KeptMessage): boolean {
  if (kept.chat.type === 'private' || api.readsAll) return true;
  if (replyTo?.from.id === api.world.bot.id) return true;
  const name = `@${api.world.bot.username}`.toLowerCase();
  return text.found.some(({ type, offset, length }) => {
    const piece = text.text.slice(offset, offset + length).toLowerCase();
    if (type === 'mention') return piece === name;
    return type === 'bot_command' && (!piece.includes('@') || piece.endsWith(name));
  });
}

function keepFile({ world }: BotApi, { photo, document, voice }: Said): KeptFile | undefined {
  if (photo !== undefined) {
    const size = readImageSize(photo) ?? { width: 800, height: 600 };
    return world.addFile('photo', { name: 'photo.jpg', mediaType: 'image/jpeg', bytes: photo }, size);
  }
  if (document !== undefined) {
    return world.addFile('document', { mediaType: 'application/octet-stream', ...document });
  }
  if (voice === undefined) return undefined;
  const { bytes, seconds = 1, mediaType = 'audio/ogg' } = voice;
  return world.addFile('voice', { name: 'voice.oga', mediaType, bytes }, { duration: seconds });
}
