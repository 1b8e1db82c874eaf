import { badRequest } from './bot-api-error.ts';
import type { CallParams } from './call-params.ts';
import { checkLink } from './check-link.ts';
import type { TelegramButton } from './telegram-wire.ts';

const BUTTON_LIMIT = 100;
const ROW_LIMIT = 8;
const DATA_LIMIT = 64;

/** The inline keyboard of a call, checked as Telegram does; no rows where there is none. */
export function checkKeyboard(params: CallParams): TelegramButton[][] {
  const markup = params.json('reply_markup', 'reply keyboard markup');
  if (markup === undefined) return [];
  if (!isRecord(markup)) throw badRequest('object expected as reply markup');
  const rows = markup['inline_keyboard'];
  if (rows === undefined) return [];
  if (!Array.isArray(rows)) throw badRequest('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array');
  const checked = (rows as unknown[]).map((row) => {
    if (!Array.isArray(row)) throw badRequest('field "inline_keyboard" must be an Array of Arrays');
    return (row as unknown[]).map(checkButton);
  });
  const filled = checked.filter((row) => row.length > 0);
  if (filled.flat().length > BUTTON_LIMIT || filled.some((row) => row.length > ROW_LIMIT)) {
    throw badRequest('reply markup is too long');
  }
  return filled;
}

function checkButton(button: unknown): TelegramButton {
  if (!isRecord(button)) throw badRequest("can't parse inline keyboard button: InlineKeyboardButton must be an Object");
  const { text, url, callback_data: data, style } = button;
  if (typeof text !== 'string') {
    throw badRequest(`can't parse inline keyboard button: Can't find field "text"`);
  }
  if (text.trim() === '') throw badRequest('inline keyboard button text must be non-empty');
  const look = checkStyle(style);
  if (typeof url === 'string' && url !== '') return { text, url: checkButtonUrl(url), ...look };
  if (typeof data === 'string' && data !== '') {
    if (Buffer.byteLength(data) > DATA_LIMIT) throw badRequest('BUTTON_DATA_INVALID');
    return { text, callback_data: data, ...look };
  }
  throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
}

function checkStyle(style: unknown): Pick<TelegramButton, 'style'> {
  if (style === undefined || style === '' || style === 'default') return {};
  if (style === 'danger' || style === 'success' || style === 'primary') return { style };
  throw badRequest("can't parse inline keyboard button: invalid button style specified");
}

function checkButtonUrl(url: string): string {
  const host = /^(?:https?:\/\/)?([^/?#:@]+)/i.exec(url)?.[1]?.toLowerCase();
  if (host === 'localhost' || host?.endsWith('.localhost') === true) throw badRequest('BUTTON_URL_INVALID');
  const checked = checkLink(url);
  if (checked === undefined) {
    const reason =
      /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(url) && !/^https?:/i.test(url) ? 'Unsupported URL protocol' : 'Wrong HTTP URL';
    throw badRequest(`inline keyboard button URL '${url}' is invalid: ${reason}`);
  }
  if (!/^(https?|tg):/i.test(url) && url.includes(':')) throw badRequest('BUTTON_URL_INVALID');
  return checked;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
