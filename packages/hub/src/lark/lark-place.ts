import type { Chat } from '../channels/channel.ts';

/** Where a chat is on Lark. */
export interface LarkPlace {
  /** `oc_…` */
  chatId: string;
  /** In a topic group: the message that the topic began with, because Lark replies to messages, not to topics. */
  rootId: string | undefined;
}

/** What `Chat.chatId` says: the chat, and after a slash the first message of the topic. */
export function readPlace(chatId: string): LarkPlace {
  const slash = chatId.indexOf('/');
  return slash === -1
    ? { chatId, rootId: undefined }
    : { chatId: chatId.slice(0, slash), rootId: chatId.slice(slash + 1) };
}

/** The other way round. */
export function writePlace({ chatId, rootId }: LarkPlace): string {
  return rootId === undefined ? chatId : `${chatId}/${rootId}`;
}

/**
 * What a button of a card brings back: its action, and which chat the card was sent to.
 *
 * A press says neither whether the chat is private nor which topic it was in, and to ask Lark would cost some of the three
 * seconds in which a press must be answered.
 */
export function writePress(action: string, chat: Pick<Chat, 'chatId' | 'kind'>): string {
  return `${action} ${chat.kind} ${chat.chatId}`;
}

/**
 * Reads what `writePress` wrote, for a press in the chat that Lark names. Nothing, where the card was sent to another chat
 * and forwarded: whoever reads it there was never shown it by us.
 */
export function readPress(
  value: string,
  pressedIn: string,
): { action: string; kind: Chat['kind']; rootId: string | undefined } | undefined {
  const [action = '', kind, chatId = ''] = value.split(' ');
  const place = readPlace(chatId);
  if (place.chatId !== pressedIn) return undefined;
  return { action, kind: kind === 'private' ? 'private' : 'group', rootId: place.rootId };
}
