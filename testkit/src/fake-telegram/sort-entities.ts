import type { TelegramEntity } from './telegram-wire.ts';

/** Of two entities that cover the same text, the one further left is given first. */
const OUTER_FIRST: readonly TelegramEntity['type'][] = [
  'blockquote',
  'expandable_blockquote',
  'pre',
  'code',
  'date_time',
  'text_link',
  'text_mention',
  'url',
  'email',
  'mention',
  'hashtag',
  'bot_command',
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'custom_emoji',
];

/** In the order Telegram gives them: by beginning, the longer first, then by kind. */
export function sortEntities(entities: readonly TelegramEntity[]): TelegramEntity[] {
  return entities.toSorted(
    (a, b) => a.offset - b.offset || b.length - a.length || OUTER_FIRST.indexOf(a.type) - OUTER_FIRST.indexOf(b.type),
  );
}
