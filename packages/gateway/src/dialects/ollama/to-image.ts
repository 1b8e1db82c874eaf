import { DragomanError, type PromptFile } from '@dragoman/protocol';
import { parseFileUrl } from '../parse-file-url.ts';

/** How the base64 of each kind of image begins; this protocol does not name it. */
const BEGINNINGS: readonly [beginning: string, mediaType: string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

/** An image as this protocol carries it: its bytes in base64. */
export function toImage(image: string, index: number): PromptFile {
  if (image.startsWith('data:')) return parseFileUrl(image, 'image/png');
  const known = BEGINNINGS.find(([beginning]) => image.startsWith(beginning));
  if (known === undefined)
    throw new DragomanError('bad-request', `images[${index}]: expected PNG, JPEG, GIF or WebP in base64.`);
  return { type: 'file', mediaType: known[1], data: { type: 'base64', base64: image } };
}
