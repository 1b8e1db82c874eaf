import { DragomanError, type PromptFile, type PromptText } from '@dragoman/protocol';
import { optional } from '../../optional.ts';
import { detailOptions } from '../openai-settings.ts';
import { parseFileUrl } from '../parse-file-url.ts';
import type { ResponsesPart } from './wire.ts';

/** A part of a message, or of what a tool returned. */
export function decodePart(part: ResponsesPart, place: string): PromptText | PromptFile {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'refusal':
      return { type: 'text', text: textOf(part) };
    case 'input_image':
      if (typeof part.image_url === 'string')
        return { ...parseFileUrl(part.image_url, 'image/*'), ...detailOptions(part.detail) };
      throw new DragomanError(
        'bad-request',
        `${place}.image_url: expected a data URL or an http URL; this server stores no files.`,
      );
    case 'input_file': {
      const url = part.file_data ?? part.file_url;
      if (typeof url === 'string')
        return { ...parseFileUrl(url, 'application/pdf'), ...optional('filename', part.filename) };
      throw new DragomanError('bad-request', `${place}: expected file_data or file_url; this server stores no files.`);
    }
    default:
      throw new DragomanError(
        'bad-request',
        `${place}: the part type ${JSON.stringify(part.type.slice(0, 40))} is not supported.`,
      );
  }
}

export function textOf(part: ResponsesPart): string {
  return part.text ?? part.refusal ?? '';
}
