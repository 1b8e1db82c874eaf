/** A person or the bot, as the Bot API writes them. */
export interface TelegramUser {
  id: number;
  is_bot: boolean;
  first_name: string;
  username?: string;
  language_code?: string;
}

/** A chat, as the Bot API writes it. The id of a private chat is that of the person. */
export interface TelegramChat {
  id: number;
  type: 'private' | 'group' | 'supergroup';
  title?: string;
  first_name?: string;
  username?: string;
  is_forum?: true;
}

/** A piece of formatted text. Offset and length count UTF-16 units. */
export interface TelegramEntity {
  type:
    | 'bold'
    | 'italic'
    | 'underline'
    | 'strikethrough'
    | 'spoiler'
    | 'code'
    | 'pre'
    | 'text_link'
    | 'text_mention'
    | 'custom_emoji'
    | 'date_time'
    | 'blockquote'
    | 'expandable_blockquote'
    | 'bot_command'
    | 'mention'
    | 'hashtag'
    | 'url'
    | 'email';
  offset: number;
  length: number;
  url?: string;
  language?: string;
  user?: { id: number };
  custom_emoji_id?: string;
}

/** A button below a message, as the Bot API writes it. */
export interface TelegramButton {
  text: string;
  url?: string;
  callback_data?: string;
  style?: 'danger' | 'success' | 'primary';
}

/** A file as it stands in a message. */
export interface TelegramFile {
  file_id: string;
  file_unique_id: string;
  file_size: number;
  file_name?: string;
  mime_type?: string;
  width?: number;
  height?: number;
  duration?: number;
}

/** A message, as the Bot API writes it. */
export interface TelegramMessage {
  message_id: number;
  from: TelegramUser;
  chat: TelegramChat;
  date: number;
  edit_date?: number;
  message_thread_id?: number;
  is_topic_message?: true;
  reply_to_message?: TelegramMessage;
  media_group_id?: string;
  text?: string;
  entities?: TelegramEntity[];
  caption?: string;
  caption_entities?: TelegramEntity[];
  photo?: TelegramFile[];
  document?: TelegramFile;
  voice?: TelegramFile;
  reply_markup?: { inline_keyboard: TelegramButton[][] };
  forum_topic_created?: { name: string; icon_color: number };
  new_chat_members?: TelegramUser[];
  left_chat_member?: TelegramUser;
}

/** Something that happened, as a bot is told. */
export interface TelegramUpdate {
  update_id: number;
  [kind: string]: unknown;
}
