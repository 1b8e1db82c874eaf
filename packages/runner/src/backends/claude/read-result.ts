import type { ContentBlockOf } from '@dragoman/protocol';
import { type Fields, fieldsIn, textIn, toFields } from '../../backend/fields.ts';

type Attachment = ContentBlockOf<'image'> | ContentBlockOf<'file'>;

/** What a tool gave back: a text, or a list of texts, pictures and files. */
export function readResult(content: unknown): { text: string; attachments: Attachment[] } {
  if (typeof content === 'string') return { text: unmarked(content), attachments: [] };
  const blocks = Array.isArray(content) ? content.map(toFields) : [];
  return {
    text: blocks.flatMap((block) => (block['type'] === 'text' ? unmarked(textIn(block, 'text') ?? '') : [])).join('\n'),
    attachments: blocks.flatMap(toAttachment),
  };
}

function toAttachment(block: Fields): Attachment[] {
  const source = fieldsIn(block, 'source');
  const [media, data, url] = [textIn(source, 'media_type'), textIn(source, 'data'), textIn(source, 'url')];
  const bytes = data === undefined ? { url } : { data };
  if (data === undefined && url === undefined) return [];
  if (block['type'] === 'image') return [{ type: 'image', media_type: media ?? 'image/png', ...bytes }];
  if (block['type'] !== 'document') return [];
  return [{ type: 'file', name: textIn(block, 'title') ?? 'document', ...(media && { media_type: media }), ...bytes }];
}

/** Errors stand between marks that are for the model. */
function unmarked(text: string): string {
  return /^<tool_use_error>([\s\S]*)<\/tool_use_error>$/.exec(text.trim())?.[1] ?? text;
}
