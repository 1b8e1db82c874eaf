import { type BotApi, type BotMethod, openChat } from '../bot-api.ts';
import { BotApiError, badRequest } from '../bot-api-error.ts';
import type { CallParams, UploadedFile } from '../call-params.ts';
import { checkKeyboard } from '../check-keyboard.ts';
import { readImageSize } from '../read-image-size.ts';
import type { KeptFile } from '../telegram-world.ts';
import { readCaption, sendToChat } from './message-methods.ts';

const MEBIBYTE = 1024 * 1024;
const PHOTO_LIMIT = 10 * MEBIBYTE;
const DOCUMENT_LIMIT = 50 * MEBIBYTE;
const DOWNLOAD_LIMIT = 20 * MEBIBYTE;

/** The methods that bring files into a chat and out of it. */
export const fileMethods: Readonly<Record<string, BotMethod>> = {
  sendPhoto: (api, params) => sendFile(api, params, 'photo'),

  sendDocument: (api, params) => sendFile(api, params, 'document'),

  getFile({ world }, params) {
    const fileId = params.text('file_id');
    const file = world.files.get(fileId);
    if (file === undefined) {
      throw badRequest(
        fileId === '' ? 'file_id not specified' : 'wrong file_id or the file is temporarily unavailable',
      );
    }
    if (file.bytes.length > DOWNLOAD_LIMIT) throw badRequest('file is too big');
    const { file_id, file_unique_id, file_size } = file.wire;
    return { file_id, file_unique_id, file_size, file_path: file.path };
  },
};

function sendFile(api: BotApi, params: CallParams, kind: 'photo' | 'document'): unknown {
  const text = readCaption(params);
  const buttons = checkKeyboard(params);
  const kept = openChat(api, params);
  return sendToChat(api, kept, params, { text, buttons, file: takeFile(api, params, kind) });
}

/** A new file, or one that Telegram has already. Addresses on the web are out of reach here. */
function takeFile(api: BotApi, params: CallParams, kind: 'photo' | 'document'): KeptFile {
  const uploaded = params.file(kind);
  if (uploaded === undefined) {
    const name = params.text(kind);
    const known = api.world.files.get(name);
    if (known !== undefined) return known;
    if (name === '') throw badRequest(`there is no ${kind} in the request`);
    throw badRequest(
      /^https?:/i.test(name)
        ? 'failed to get HTTP URL content'
        : 'wrong remote file identifier specified: Wrong string length',
    );
  }
  if (uploaded.bytes.length === 0) throw badRequest('file must be non-empty');
  if (uploaded.bytes.length > (kind === 'photo' ? PHOTO_LIMIT : DOCUMENT_LIMIT)) {
    throw new BotApiError(413, 'Request Entity Too Large');
  }
  return kind === 'photo' ? api.world.addFile(kind, uploaded, photoSize(uploaded)) : api.world.addFile(kind, uploaded);
}

function photoSize(file: UploadedFile): { width: number; height: number } {
  const size = readImageSize(file.bytes);
  if (size === undefined) throw badRequest('IMAGE_PROCESS_FAILED');
  const { width, height } = size;
  if (width + height > 10_000 || Math.max(width, height) / Math.min(width, height) > 20) {
    throw badRequest('PHOTO_INVALID_DIMENSIONS');
  }
  return size;
}
