import type { Chat } from '../channels/channel.ts';
import type { LarkApi } from './lark-api.ts';
import { codeOf, LarkCallError } from './lark-call-error.ts';
import { readPlace } from './lark-place.ts';

/** A message to be sent. */
export interface LarkMessage {
  chat: Chat;
  type: 'interactive' | 'image' | 'file';
  content: object;
  /** The same one for every attempt: within an hour Lark sends a message with it only once. */
  nonce: string;
  replyTo: string | undefined;
  signal: AbortSignal;
}

/** Sends a message into a chat, in a topic as a reply to it, and gives its id. */
export async function sendMessage(api: LarkApi, message: LarkMessage): Promise<string> {
  const { chatId, rootId } = readPlace(message.chat.chatId);
  const body = { msg_type: message.type, content: JSON.stringify(message.content), uuid: message.nonce };
  const reply = (to: string) =>
    api.call({
      method: 'POST',
      path: `im/v1/messages/${encodeURIComponent(to)}/reply`,
      body: { ...body, reply_in_thread: rootId !== undefined },
      signal: message.signal,
    });
  const answered = message.replyTo ?? rootId;
  if (answered !== undefined) {
    try {
      return idOf(await reply(answered));
    } catch (error) {
      if (!ANSWERED_GONE.has(codeOf(error) ?? 0)) throw error;
      if (rootId !== undefined && answered !== rootId) return idOf(await reply(rootId));
      if (rootId !== undefined)
        throw new LarkCallError('The topic no longer exists.', { code: 232009, status: 400, cause: error });
    }
  }
  return idOf(
    await api.call({
      method: 'POST',
      path: 'im/v1/messages',
      query: { receive_id_type: 'chat_id' },
      body: { ...body, receive_id: chatId },
      signal: message.signal,
    }),
  );
}

/** Takes a message of ours back; that it is gone already is fine. */
export async function recallMessage(api: LarkApi, messageId: string, signal: AbortSignal): Promise<void> {
  try {
    await api.call({ method: 'DELETE', path: `im/v1/messages/${encodeURIComponent(messageId)}`, signal });
  } catch (error) {
    if (!ANSWERED_GONE.has(codeOf(error) ?? 0)) throw error;
  }
}

function idOf({ data }: { data?: Readonly<Record<string, unknown>> | null }): string {
  const id = data?.['message_id'];
  if (typeof id !== 'string') throw new LarkCallError('Lark sent the message but returned no ID.');
  return id;
}

/** The message that was to be answered was recalled or deleted, or is not there. */
const ANSWERED_GONE = new Set([230011, 230110, 231003, 230019]);
