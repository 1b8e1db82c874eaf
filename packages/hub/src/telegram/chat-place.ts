/** Where a message goes: a chat, or one topic of it. */
export interface ChatPlace {
  chat_id: number;
  message_thread_id?: number;
}

/** A chat as the hub writes it: `<chat>`, or `<chat>/<topic>`. */
export function writePlace(chatId: number, threadId: number | undefined): string {
  return threadId === undefined ? String(chatId) : `${chatId}/${threadId}`;
}

/** The same as Telegram takes it. */
export function readPlace(chatId: string): ChatPlace {
  const [chat, thread] = chatId.split('/');
  return { chat_id: Number(chat), ...(thread !== undefined && { message_thread_id: Number(thread) }) };
}
