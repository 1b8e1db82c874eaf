import { DragomanError, type PromptFile } from '@dragoman/protocol';

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=-]+)*;base64,/;
/** Longer than the beginning of any data URL; what follows is bytes. */
const LONGEST_HEAD = 256;
const TAKEN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf']);

/** A file given as an address: a data URL holds its bytes, anything else is left for the provider to fetch. */
export function parseFileUrl(url: string, otherwise: string): PromptFile {
  const data = DATA_URL.exec(url.slice(0, LONGEST_HEAD));
  if (data !== null) {
    const mediaType = data[1] ?? otherwise;
    if (!TAKEN.has(mediaType))
      throw new DragomanError(
        'bad-request',
        `The file type ${mediaType} is not supported. Send PNG, JPEG, GIF, WebP or PDF.`,
      );
    return { type: 'file', mediaType, data: { type: 'base64', base64: url.slice(data[0].length) } };
  }
  if (!/^https?:\/\//.test(url)) throw new DragomanError('bad-request', 'A file needs a data URL or an http URL.');
  return { type: 'file', mediaType: otherwise, data: { type: 'url', url } };
}
