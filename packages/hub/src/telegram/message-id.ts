/**
 * A message as the hub knows it: its number, and the bot that counted it. Another bot in the same place begins to count
 * anew, so a number alone would be two messages.
 */
export function writeMessageId(messageNumber: number, botId: number): string {
  return `${messageNumber}@${botId}`;
}

/** Its number; nothing where it is none that this bot can do something with. */
export function readMessageId(messageId: string | undefined, botId: number): number | undefined {
  const [, digits, bot] = /^(\d+)@(\d+)$/.exec(messageId ?? '') ?? [];
  const number = Number(digits);
  return Number(bot) === botId && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** The bot that a token is of. */
export function botOf(token: string): number {
  return Number.parseInt(token, 10) || 0;
}
