import {
  type BotApi,
  type BotMethod,
  openChat,
  openMessage,
  openReply,
  openTopic,
  readText,
  spend,
} from '../bot-api.ts';
import { badRequest } from '../bot-api-error.ts';
import type { CallParams } from '../call-params.ts';
import { checkKeyboard } from '../check-keyboard.ts';
import { encodeMessage } from '../encode-message.ts';
import type { SettledText } from '../settle-text.ts';
import type { KeptChat, KeptFile, KeptMessage } from '../telegram-world.ts';
import type { TelegramButton, TelegramMessage } from '../telegram-wire.ts';

const TEXT_LIMIT = 4096;
const CAPTION_LIMIT = 1024;
const DELETE_LIMIT_S = 48 * 3600;

/** The methods that write, change and delete messages of text. */
export const messageMethods: Readonly<Record<string, BotMethod>> = {
  sendMessage(api, params) {
    const text = readMessageText(params);
    const buttons = checkKeyboard(params);
    const kept = openChat(api, params);
    return sendToChat(api, kept, params, { text, buttons, file: undefined });
  },

  editMessageText(api, params) {
    const text = readMessageText(params);
    const buttons = checkKeyboard(params);
    const { kept, message } = openMessage(api, params);
    if (message.file !== undefined) throw badRequest('there is no text in the message to edit');
    return change(api, kept, message, { text, buttons });
  },

  editMessageCaption(api, params) {
    const text = readCaption(params);
    const buttons = checkKeyboard(params);
    const { kept, message } = openMessage(api, params);
    if (message.file === undefined) throw badRequest('there is no caption in the message to edit');
    return change(api, kept, message, { text, buttons });
  },

  editMessageReplyMarkup(api, params) {
    const buttons = checkKeyboard(params);
    const { kept, message } = openMessage(api, params);
    return change(api, kept, message, { text: message.text, buttons });
  },

  deleteMessage(api, params) {
    const kept = openChat(api, params);
    const message = kept.messages.get(params.integer('message_id') ?? 0);
    if (message === undefined) throw badRequest('message to delete not found');
    const isOwn = message.from.id === api.world.bot.id;
    if (!isOwn && kept.chat.type !== 'private') throw badRequest("message can't be deleted");
    if (api.world.seconds() - message.date >= DELETE_LIMIT_S) throw badRequest("message can't be deleted for everyone");
    kept.messages.delete(message.messageId);
    return true;
  },
};

/** Puts a message of the bot into a chat. A draft that was shown there is gone with it. */
export function sendToChat(
  api: BotApi,
  kept: KeptChat,
  params: CallParams,
  content: { text: SettledText; buttons: TelegramButton[][]; file: KeptFile | undefined },
): TelegramMessage {
  const threadId = openTopic(kept, params);
  const replyTo = openReply(kept, params);
  spend(api, kept, 'message');
  for (const [key, draft] of kept.drafts) if (draft.threadId === threadId) kept.drafts.delete(key);
  const message = api.world.addMessage(kept, {
    from: api.world.bot,
    replyTo,
    threadId,
    mediaGroup: undefined,
    service: undefined,
    ...content,
  });
  return encodeMessage(kept, message);
}

/** What stands below a file; it may be nothing. */
export function readCaption(params: CallParams): SettledText {
  const text = readText(params, 'caption');
  if (text.text.length > CAPTION_LIMIT) throw badRequest('message caption is too long');
  return text;
}

function readMessageText(params: CallParams): SettledText {
  if (params.text('text') === '') throw badRequest('message text is empty');
  const text = readText(params, 'text');
  if (text.text === '') throw badRequest('text must be non-empty');
  if (text.text.length > TEXT_LIMIT) throw badRequest('message is too long');
  return text;
}

function change(
  api: BotApi,
  kept: KeptChat,
  message: KeptMessage,
  wanted: Pick<KeptMessage, 'text' | 'buttons'>,
): TelegramMessage {
  spend(api, kept, 'message');
  const { text, buttons } = message;
  if (JSON.stringify(wanted) === JSON.stringify({ text, buttons })) {
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
  }
  Object.assign(message, wanted, { editDate: api.world.seconds(), edits: message.edits + 1 });
  return encodeMessage(kept, message);
}
