import { sortEntities } from './sort-entities.ts';
import type { KeptChat, KeptMessage } from './telegram-world.ts';
import type { TelegramMessage } from './telegram-wire.ts';

/** A message as the Bot API writes it. The one it answers is given without the one that answered. */
export function encodeMessage(kept: KeptChat, message: KeptMessage, isInner = false): TelegramMessage {
  const { text, file } = message;
  const entities = sortEntities([...text.entities, ...text.found]);
  const content: Partial<TelegramMessage> =
    file === undefined
      ? { ...(text.text !== '' && { text: text.text }), ...(entities.length > 0 && { entities }) }
      : { ...(text.text !== '' && { caption: text.text }), ...(entities.length > 0 && { caption_entities: entities }) };
  return {
    message_id: message.messageId,
    from: message.from,
    chat: kept.chat,
    date: message.date,
    ...(message.editDate !== undefined && { edit_date: message.editDate }),
    ...(message.threadId !== undefined && { message_thread_id: message.threadId, is_topic_message: true }),
    ...(message.mediaGroup !== undefined && { media_group_id: message.mediaGroup }),
    ...(message.replyTo !== undefined && !isInner && { reply_to_message: encodeMessage(kept, message.replyTo, true) }),
    ...content,
    ...(file?.kind === 'photo' && { photo: [thumbnail(file.wire), file.wire] }),
    ...(file?.kind === 'document' && { document: { file_name: file.name, mime_type: file.mediaType, ...file.wire } }),
    ...(file?.kind === 'voice' && { voice: { mime_type: file.mediaType, ...file.wire } }),
    ...(message.buttons.length > 0 && { reply_markup: { inline_keyboard: message.buttons } }),
    ...message.service,
  };
}

/** Photos come in several sizes, the largest last; the small ones cannot be told from it by their bytes here. */
function thumbnail(wire: NonNullable<TelegramMessage['photo']>[number]): typeof wire {
  return {
    ...wire,
    file_unique_id: `${wire.file_unique_id}s`,
    file_size: Math.min(wire.file_size, 1200),
    width: Math.min(wire.width ?? 90, 90),
    height: Math.min(wire.height ?? 90, 90),
  };
}
