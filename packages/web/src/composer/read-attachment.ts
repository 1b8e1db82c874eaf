import type { BackendCapabilities, PromptBlock } from '@dragoman/protocol';

/** A file or image that goes along with a prompt. */
export interface Attachment {
  id: number;
  name: string;
  size: number;
  mediaType: string;
  isImage: boolean;
  /** As base64. */
  data: string;
  /** Where the browser shows an image from; to be revoked when it is gone. */
  previewUrl: string | undefined;
}

/** What the server takes: see `store-attachments.ts`, and its limit for a whole prompt. */
export const MAX_BYTES = 10_000_000;
export const MAX_TOTAL_BYTES = 40_000_000;
export const MAX_COUNT = 20;

/** Why a file cannot be attached. */
export type Refusal = 'noImages' | 'noFiles' | 'tooLarge' | 'tooMuch' | 'tooMany' | 'empty' | 'unreadable';

/** Images that browsers and models know; any other picture is a file. */
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Whether a file may be attached to what is attached already; says why not. */
export function refusalOf(
  file: { type: string; size: number },
  before: readonly { size: number }[],
  { images, files }: BackendCapabilities,
): Refusal | undefined {
  const isImage = IMAGES.has(file.type);
  if (isImage ? images !== true && files !== true : files !== true) return isImage ? 'noImages' : 'noFiles';
  if (file.size === 0) return 'empty';
  if (file.size > MAX_BYTES) return 'tooLarge';
  if (before.length >= MAX_COUNT) return 'tooMany';
  if (before.reduce((sum, { size }) => sum + size, file.size) > MAX_TOTAL_BYTES) return 'tooMuch';
  return undefined;
}

let lastId = 0;

/** Reads a file as the prompt carries it. Rejects where the browser cannot read it, such as a folder. */
export async function readAttachment(file: File, { images }: BackendCapabilities): Promise<Attachment> {
  const data = await readBase64(file);
  const isImage = IMAGES.has(file.type) && images === true;
  return {
    id: ++lastId,
    name: file.name === '' ? 'file' : file.name,
    size: file.size,
    mediaType: file.type === '' ? 'application/octet-stream' : file.type,
    isImage,
    data,
    previewUrl: isImage ? URL.createObjectURL(file) : undefined,
  };
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read.')));
    reader.addEventListener('load', () => {
      const url = reader.result as string;
      resolve(url.slice(url.indexOf(',') + 1));
    });
    reader.readAsDataURL(file);
  });
}

/** An attachment as a block of a prompt; an image is a file for an agent that takes only those. */
export function toBlock(
  { name, mediaType, isImage, data }: Attachment,
  { images }: BackendCapabilities = { images: true },
): PromptBlock {
  return isImage && images === true
    ? { type: 'image', media_type: mediaType, data }
    : { type: 'file', name, media_type: mediaType, data };
}

/** Why something of what is attached cannot go to an agent that was chosen since. */
export function refusedOf(
  items: readonly Attachment[],
  { images, files }: BackendCapabilities,
): 'noImages' | 'noFiles' | undefined {
  if (images !== true && files !== true && items.some(({ isImage }) => isImage)) return 'noImages';
  return files !== true && items.some(({ isImage }) => !isImage) ? 'noFiles' : undefined;
}

/** Whether an agent takes words alone. */
export function takesNothing({ images, files }: BackendCapabilities): boolean {
  return images !== true && files !== true;
}
