import type { TelegramEntity } from './telegram-wire.ts';

const PATTERNS: readonly [TelegramEntity['type'], RegExp][] = [
  [
    'url',
    /(?<![\p{L}\p{N}_@])(?:https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}]|(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|ru|cn)\b(?:\/[^\s<>"']*[^\s<>"'.,;:!?)\]}])?)/giu,
  ],
  ['email', /(?<![a-z0-9._+-])[a-z0-9._+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}/giu],
  ['bot_command', /(?<![\p{L}\p{N}_/<>])\/[a-z0-9_]{1,64}(?:@[a-z0-9_]{3,32})?(?![\p{L}\p{N}_/<>])/giu],
  ['mention', /(?<![\p{L}\p{N}_])@[a-z0-9_]{2,32}(?![\p{L}\p{N}_])/giu],
  ['hashtag', /(?<![\p{L}\p{Nd}_])#(?=[\p{Nd}_]*\p{L})[\p{L}\p{Nd}_]{1,256}(?![\p{L}\p{Nd}_#])/gu],
];

/** What Telegram makes touchable without being told: links, addresses, commands, mentions, hashtags. None overlap. */
export function findEntities(text: string): TelegramEntity[] {
  const found: TelegramEntity[] = [];
  for (const [type, pattern] of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const entity = { type, offset: match.index, length: match[0].length };
      if (!found.some((one) => one.offset < entity.offset + entity.length && entity.offset < one.offset + one.length)) {
        found.push(entity);
      }
    }
  }
  return found.toSorted((a, b) => a.offset - b.offset);
}
