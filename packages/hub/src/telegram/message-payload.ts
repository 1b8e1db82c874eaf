import type { Delivery } from '../channels/channel.ts';
import { readMessageId } from './message-id.ts';
import type { Button, FileBody, TelegramBody, TextBody } from './telegram-body.ts';
import { webAddress } from './web-address.ts';

/** The buttons of a message, as Telegram takes them. */
export function markupOf({ buttons }: TextBody, delivery: Delivery<TelegramBody>) {
  if (buttons.length === 0) return {};
  return { reply_markup: { inline_keyboard: buttons.map((row) => row.map((button) => buttonOf(button, delivery))) } };
}

function buttonOf(button: Button, { actionData }: Delivery<TelegramBody>) {
  const style = button.look === undefined ? {} : { style: button.look };
  if ('url' in button) return { text: button.label, url: button.url, ...style };
  return { text: button.label, callback_data: actionData(button.action), ...style };
}

/** What a message answers; where that is gone, it is sent all the same. */
export function replyOf({ replyTo }: Delivery<TelegramBody>, botId: number) {
  const message_id = readMessageId(replyTo, botId);
  return message_id === undefined ? {} : { reply_parameters: { message_id, allow_sending_without_reply: true } };
}

/** A name with an end, by which programs know what it is. */
export function fileName({ name, mediaType }: FileBody): string {
  const clean = name.replaceAll(/[\\/:*?"<>|]/g, '_');
  if (/\.\w{1,8}$/.test(clean)) return clean;
  return `${clean}.${/^[\w-]+\/([\w-]{1,8})/.exec(mediaType)?.[1] ?? 'bin'}`;
}

/** A message of one line about a file, with the way to it. */
export function lineBody(text: string, link: string | undefined, label: string): TextBody {
  const url = link === undefined ? undefined : webAddress(link);
  return {
    type: 'text',
    blocks: [
      {
        type: 'text',
        spans: [{ text: `📎 ${text}` }, ...(url === undefined ? [] : [{ text: ' ' }, { text: label, url }])],
      },
    ],
    buttons: [],
  };
}
