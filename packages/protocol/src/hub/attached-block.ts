import type { z } from 'zod';
import { type PromptBlock, promptBlockSchema } from '../uap/content-block.ts';

/**
 * A block as a person attaches it. Looked at more closely than what agents say: a mistake is told to who can mend it,
 * and no address gets in that would be something else on the screen of another person.
 */
export const attachedBlockSchema: typeof promptBlockSchema = promptBlockSchema
  .overwrite(withData)
  .superRefine((block, context) => {
    const problem = problemOf(block);
    if (problem !== undefined) context.addIssue({ code: 'custom', ...problem });
  });

/** Moves bytes out of a data: address. Only `data` is stored beside the log; an address stays in it. */
function withData(block: PromptBlock): PromptBlock {
  if (block.type === 'text' || block.url === undefined || block.data !== undefined) return block;
  const { url, ...rest } = block;
  const [head, mediaType] = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[^;,]{1,100}){0,9};base64,/i.exec(url) ?? [];
  const data = head === undefined ? '' : url.slice(head.length);
  if (!isBase64(data) || !isAddress(head!, block.type)) return block;
  return { ...rest, data, ...(rest.media_type === undefined && mediaType !== undefined && { media_type: mediaType }) };
}

type Problem = Pick<z.core.$ZodIssueCustom, 'message'> & { path: string[] };

function problemOf(block: PromptBlock): Problem | undefined {
  if (block.type === 'text') return undefined;
  const { data, url, media_type } = block;
  if (block.type === 'image' && !/^image\/[\w.+-]+$/i.test(media_type ?? ''))
    return {
      path: ['media_type'],
      message: 'expected that of an image, such as image/png; attach anything else as a file',
    };
  if (data !== undefined && url !== undefined) return { path: ['url'], message: 'expected "data" or "url", not both' };
  if (data !== undefined)
    return isBase64(data) ? undefined : { path: ['data'], message: 'expected the bytes as base64' };
  if (url !== undefined)
    return isAddress(url, block.type) ? undefined : { path: ['url'], message: ADDRESSES[block.type] };
  if (block.type === 'file' && block.uri !== undefined) return undefined;
  return { path: ['data'], message: 'expected the bytes as base64, or a "url"' };
}

/** Either alphabet, with or without the end filled up; at least one byte. */
function isBase64(text: string): boolean {
  const length = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  // A search for what does not belong reads megabytes once; matching them from end to end would try again and again.
  return length > 1 && length % 4 !== 1 && !/[^A-Za-z0-9+/_-]/.test(text.slice(0, length));
}

const ADDRESSES: Record<'image' | 'file', string> = {
  image: 'expected an address with http: or https:, or data: with an image in it as base64',
  file: 'expected an address with http: or https:, or data: with the bytes as base64',
};

/** Longer than servers take. */
const LONGEST_ADDRESS = 16_384;

/** An attachment that is here already has an address without a host. */
function isAddress(url: string, type: 'image' | 'file'): boolean {
  if (/^\/api\/attachments\/att_\w+$/.test(url)) return true;
  if (url.length > LONGEST_ADDRESS) return false;
  if (/^data:/i.test(url)) return type === 'file' || /^data:image\//i.test(url);
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}
