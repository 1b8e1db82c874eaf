import type { CallbackQuery, ChatMemberUpdated, Message, Update, User, UserFromGetMe } from 'grammy/types';
import type { Language } from '../channels/channel.ts';
import type { Heard, HeardFile } from '../channels/heard.ts';
import { writePlace } from './chat-place.ts';
import { writeMessageId } from './message-id.ts';
import { readText } from './read-text.ts';

/** What an update is read with. */
export interface UpdateReader {
  me: UserFromGetMe;
  /** The bytes of a file, by its id. */
  fetchFile(
    file: { file_id: string; file_size?: number | undefined },
    name: string,
    signal: AbortSignal,
  ): Promise<Uint8Array>;
}

/** What is asked for. What was said counts; of edited messages people are told so. */
export const ALLOWED_UPDATES = ['message', 'edited_message', 'callback_query', 'my_chat_member'] as const;

/**
 * What a person did, from what Telegram tells. Undefined for what is nothing for us: other bots, what is said to other
 * bots, and that a person came or a picture of the group changed.
 */
export function readUpdate(update: Update, reader: UpdateReader): Heard | undefined {
  if (isMove(update)) return readMove(update.message!);
  if (update.message !== undefined) return readMessages([update.message], reader);
  if (update.edited_message !== undefined) return readEdit(update.edited_message, reader);
  if (update.callback_query !== undefined) return readPress(update.callback_query);
  if (update.my_chat_member !== undefined) return readMember(update, reader);
  return undefined;
}

/** Whether it says that a group is another one now, which happens when it grows. */
export function isMove({ message }: Update): boolean {
  return message?.migrate_to_chat_id !== undefined || message?.migrate_from_chat_id !== undefined;
}

/** Both groups tell of it, each from its side. */
function readMove({ chat, migrate_from_chat_id, migrate_to_chat_id }: Message): Heard {
  return movedChat(migrate_from_chat_id ?? chat.id, migrate_to_chat_id ?? chat.id);
}

/** A group is another one now. */
export function movedChat(from: number, to: number): Heard {
  return {
    type: 'moved',
    id: `moved ${from} ${to}`,
    chat: { chatId: String(from), kind: 'group' },
    person: { accountId: '', name: 'Telegram' },
    to: String(to),
  };
}

/** One message, or all of an album as one: the pictures are numbered by Telegram, and one of them carries the text. */
export function readMessages(messages: readonly Message[], reader: UpdateReader): Heard | undefined {
  const [message] = messages;
  if (message?.from === undefined || message.from.is_bot || message.sender_chat !== undefined) return undefined;
  const files = messages.flatMap((each) => filesOf(each, reader));
  const said = messages.find(({ text, caption }) => (text ?? caption ?? '') !== '') ?? message;
  const spoken = readText(said, reader.me);
  if (spoken === undefined || (spoken.text === '' && files.length === 0 && !spoken.isForUs)) return undefined;
  const kind = message.chat.type === 'private' ? 'private' : 'group';
  const answered = answeredBy(message);
  return {
    type: 'message',
    id: `message ${reader.me.id} ${message.chat.id} ${message.message_id}`,
    chat: { chatId: writePlace(message.chat.id, threadOf(message)), kind, title: message.chat.title },
    person: personOf(message.from),
    messageId: writeMessageId(message.message_id, reader.me.id),
    text: spoken.text,
    files,
    replyTo: answered === undefined ? undefined : writeMessageId(answered.message_id, reader.me.id),
    isForUs: kind === 'private' || spoken.isForUs || answered?.from?.id === reader.me.id,
  };
}

function readEdit(message: Message, reader: UpdateReader): Heard | undefined {
  const heard = readMessages([message], reader);
  if (heard?.type !== 'message') return undefined;
  const { chat, person, messageId, text } = heard;
  return {
    type: 'edited',
    id: `edited ${reader.me.id} ${message.chat.id} ${message.message_id}`,
    chat,
    person,
    messageId,
    text,
  };
}

function readPress({ id, from, message, data }: CallbackQuery): Heard | undefined {
  if (message === undefined || data === undefined || from.is_bot) return undefined;
  const thread = 'is_topic_message' in message ? threadOf(message) : undefined;
  const kind = message.chat.type === 'private' ? 'private' : 'group';
  return {
    type: 'press',
    id: `press ${id}`,
    chat: { chatId: writePlace(message.chat.id, thread), kind, title: message.chat.title },
    person: personOf(from),
    action: data,
  };
}

function readMember({ my_chat_member, update_id }: Update, { me }: UpdateReader): Heard | undefined {
  const { chat, from, old_chat_member: before, new_chat_member: after } = my_chat_member!;
  if (chat.type === 'channel' || isIn(before) === isIn(after)) return undefined;
  return {
    type: isIn(after) ? 'joined' : 'left',
    id: `member ${me.id} ${update_id}`,
    chat: { chatId: String(chat.id), kind: chat.type === 'private' ? 'private' : 'group', title: chat.title },
    person: personOf(from),
  };
}

function isIn(member: ChatMemberUpdated['new_chat_member']): boolean {
  if (member.status === 'restricted') return member.is_member;
  return member.status !== 'left' && member.status !== 'kicked';
}

/** A topic is a chat of its own; a chain of answers in an ordinary group has a number too, and is not. */
function threadOf({ is_topic_message, message_thread_id }: Message): number | undefined {
  return is_topic_message === true ? message_thread_id : undefined;
}

/** In a topic everything answers the message that opened it; that is no answer. */
function answeredBy({ reply_to_message: answered }: Message): Message | undefined {
  return answered === undefined || answered.forum_topic_created !== undefined ? undefined : answered;
}

function personOf({ id, first_name, last_name, username, language_code }: User): Heard['person'] {
  const name = [first_name, last_name ?? ''].join(' ').trim();
  return {
    accountId: String(id),
    name: name === '' ? (username ?? String(id)) : name,
    language: languageOf(language_code),
  };
}

function languageOf(code: string | undefined): Language | undefined {
  if (code === undefined) return undefined;
  return /^zh\b/i.test(code) ? 'zh' : 'en';
}

interface TelegramFileInfo {
  file_id: string;
  file_size?: number;
  file_name?: string;
  mime_type?: string;
}

function filesOf(message: Message, reader: UpdateReader): HeardFile[] {
  const { photo, document, voice, audio, video, video_note, animation } = message;
  const number = message.message_id;
  const file = (kind: HeardFile['kind'], info: TelegramFileInfo, name: string, mediaType: string): HeardFile => {
    const called = info.file_name ?? name;
    return {
      kind,
      name: called,
      mediaType: info.mime_type ?? mediaType,
      read: (signal) => reader.fetchFile(info, called, signal),
    };
  };
  if (voice !== undefined) return [file('voice', voice, `voice-${number}.ogg`, 'audio/ogg')];
  if (audio !== undefined) return [file('voice', audio, `audio-${number}.mp3`, 'audio/mpeg')];
  const largest = photo?.toSorted((one, other) => one.width * one.height - other.width * other.height).at(-1);
  if (largest !== undefined) return [file('image', largest, `photo-${number}.jpg`, 'image/jpeg')];
  // An animation comes with the document that it is.
  if (document !== undefined) {
    const isImage = /^image\/(?:png|jpeg|gif|webp)$/.test(document.mime_type ?? '');
    return [file(isImage ? 'image' : 'file', document, `file-${number}`, 'application/octet-stream')];
  }
  const film = video ?? video_note ?? animation;
  return film === undefined ? [] : [file('file', film, `video-${number}.mp4`, 'video/mp4')];
}
