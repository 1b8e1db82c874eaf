import type { ContentBlockOf } from '@dragoman/protocol';
import type { CardElement } from './card-json.ts';
import type { CardWords } from './card-words.ts';
import { cleanLine } from './clean-text.ts';
import { elementId } from './element-id.ts';
import { escapeMarkdown } from './escape-markdown.ts';
import { linkTo } from './markdown.ts';

type Attachment = ContentBlockOf<'image' | 'file'>;

/** Whether the server itself has the bytes, so that they can be handed on. */
export function isKept(url: string | undefined): url is string {
  return url !== undefined && /^\/api\/attachments\/att_\w+$/.test(url);
}

/** Images as images, as far as the server has them; everything else as a line with its name. */
export function attachmentElements(
  attachments: readonly Attachment[],
  words: CardWords,
  { key, mostImages }: { key: string; mostImages: number },
): CardElement[] {
  let images = 0;
  return attachments.slice(0, 10).map((block): CardElement => {
    if (block.type === 'image' && isKept(block.url) && images < mostImages) {
      images += 1;
      return {
        tag: 'img',
        element_id: elementId('a', `${key} ${images}`),
        img_key: '',
        alt: { tag: 'plain_text', content: words.image },
        scale_type: 'fit_horizontal',
        preview: true,
        dragoman_attachment: block.url,
      };
    }
    return { tag: 'markdown', content: attachmentLine(block, words) };
  });
}

/** An attachment in a line. */
export function attachmentLine(block: Attachment, words: CardWords): string {
  const name = block.type === 'image' ? words.image : cleanLine(block.name, 120);
  const label = escapeMarkdown(name === '' ? words.file : name);
  const mark = block.type === 'image' ? '🖼' : '📎';
  return `${mark} ${linkTo(block.url?.slice(0, 1000) ?? '', label)}`;
}
