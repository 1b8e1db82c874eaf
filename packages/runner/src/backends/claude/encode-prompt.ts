import { fileURLToPath } from 'node:url';
import { DragomanError, type PromptBlock } from '@dragoman/protocol';
import { attachedText } from '../../backend/attached-text.ts';

/** A block of a message of the user, as Claude Code takes it. */
export type ClaudePromptBlock =
  | { type: 'text'; text: string }
  | {
      type: 'image' | 'document';
      source: { type: 'base64'; media_type: string; data: string } | { type: 'url'; url: string };
    };

/** What the model can look at. */
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/**
 * A prompt as Claude Code takes it: pictures and PDF files go with it, a text is told in words, and of a file that is on
 * its machine the place is told. What it cannot take is refused, because a prompt that silently loses a file gets a wrong
 * answer.
 */
export function encodePrompt(content: readonly PromptBlock[]): ClaudePromptBlock[] {
  return content.map((block) => {
    switch (block.type) {
      case 'text':
        return { type: 'text', text: block.text };
      case 'image':
        return encodeImage(block);
      case 'file':
        return encodeFile(block);
    }
  });
}

function encodeImage({ media_type, data, url }: Extract<PromptBlock, { type: 'image' }>): ClaudePromptBlock {
  if (data !== undefined && IMAGES.has(media_type))
    return { type: 'image', source: { type: 'base64', media_type, data } };
  if (data === undefined && url !== undefined) return { type: 'image', source: { type: 'url', url } };
  const taken = [...IMAGES].join(', ');
  throw new DragomanError('unsupported-media', `Claude Code takes no image of type ${media_type}; it takes ${taken}`);
}

function encodeFile(block: Extract<PromptBlock, { type: 'file' }>): ClaudePromptBlock {
  const { name, media_type = '', data } = block;
  const place = block.uri === undefined ? block.url : toPath(block.uri);
  if (data === undefined) {
    if (place !== undefined) return { type: 'text', text: `The file ${name} is at ${place}` };
    throw new DragomanError('bad-request', `the file "${name}" has neither a place nor contents; attach it again`);
  }
  if (IMAGES.has(media_type)) return { type: 'image', source: { type: 'base64', media_type, data } };
  if (media_type === 'application/pdf') return { type: 'document', source: { type: 'base64', media_type, data } };
  const text = attachedText(data);
  if (text !== undefined) return { type: 'text', text: `The file ${name}:\n\n${text}` };
  if (place !== undefined) return { type: 'text', text: `The file ${name} is at ${place}` };
  throw new DragomanError(
    'unsupported-media',
    `Claude Code takes pictures, PDF files and text, and "${name}" is neither; put it into the session's folder and name its path`,
  );
}

function toPath(uri: string): string {
  return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
}
