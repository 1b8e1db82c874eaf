const KNOWN_PER_CHAT = 1000;

/**
 * The numbers of messages that we have seen.
 *
 * Telegram counts the messages of a supergroup by themselves, and those of all private chats and small groups of a bot
 * together. A message that was sent just now therefore has a number a little above the newest one that we know.
 */
export class MessageIds {
  readonly #newest = new Map<string, number>();
  readonly #ours = new Map<number, Set<number>>();

  /** The newest message that is known where this chat's messages are counted; 0 for none. */
  newest(chatId: number): number {
    return this.#newest.get(counterOf(chatId)) ?? 0;
  }

  /** A message was seen. */
  see(chatId: number, messageId: number): void {
    if (messageId > this.newest(chatId)) this.#newest.set(counterOf(chatId), messageId);
  }

  /** A message is one of ours, and which post it is of is known. */
  own(chatId: number, messageId: number): void {
    this.see(chatId, messageId);
    let ours = this.#ours.get(chatId);
    if (ours === undefined) this.#ours.set(chatId, (ours = new Set()));
    ours.add(messageId);
    if (ours.size > KNOWN_PER_CHAT) ours.delete(ours.values().next().value!);
  }

  isOurs(chatId: number, messageId: number): boolean {
    return this.#ours.get(chatId)?.has(messageId) ?? false;
  }
}

function counterOf(chatId: number): string {
  return chatId <= -1_000_000_000_000 ? String(chatId) : 'bot';
}
