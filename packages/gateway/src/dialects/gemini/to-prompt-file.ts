import { DragomanError, type PromptFile, type PromptText } from '@dragoman/protocol';
import type { GeminiRequestPart } from './wire.ts';

/** A file inside the request, or one that the provider shall fetch. A file of text is read as text: few models know another way. */
export function toPromptFile(
  { inlineData, fileData }: Pick<GeminiRequestPart, 'inlineData' | 'fileData'>,
  place: string,
): PromptFile | PromptText {
  if (inlineData !== undefined && inlineData !== null) {
    const mediaType = inlineData.mimeType;
    if (!mediaType) throw new DragomanError('bad-request', `${place}.inlineData.mimeType: expected text.`);
    if (mediaType.startsWith('text/'))
      return { type: 'text', text: Buffer.from(inlineData.data, 'base64').toString('utf8') };
    return { type: 'file', mediaType, data: { type: 'base64', base64: toBase64(inlineData.data) } };
  }
  const { fileUri: url = '', mimeType } = fileData ?? {};
  // Files that were handed to Google are known to nobody else.
  if (!/^https?:\/\//.test(url) || url.startsWith('https://generativelanguage.googleapis.com/'))
    throw new DragomanError(
      'bad-request',
      `${place}.fileData.fileUri: the provider cannot fetch this file. Send it as inlineData, or as a public http URL.`,
    );
  return { type: 'file', mediaType: mimeType || 'image/*', data: { type: 'url', url } };
}

/** The service also takes the alphabet for addresses. */
function toBase64(data: string): string {
  return /[-_]/.test(data) ? data.replaceAll('-', '+').replaceAll('_', '/') : data;
}
