import { fileURLToPath } from 'node:url';
import { DragomanError, type PromptBlock } from '@dragoman/protocol';
import { attachedText } from '../../backend/attached-text.ts';

/** A piece of a prompt, as Codex takes it. */
export type CodexInput =
  | { type: 'text'; text: string; text_elements: [] }
  | { type: 'image' | 'audio'; url: string }
  | { type: 'localImage'; path: string };

/**
 * A prompt as Codex takes it: pictures and sound go with it, a text is told in words, and of a file that is on its machine
 * the place is told. What it cannot take is refused, because a prompt that silently loses a file gets a wrong answer.
 */
export function encodePrompt(content: readonly PromptBlock[]): CodexInput[] {
  return content.map((block) => {
    switch (block.type) {
      case 'text':
        return words(block.text);
      case 'image':
        return encodeImage(block);
      case 'file':
        return encodeFile(block);
    }
  });
}

/** A text as a piece of a prompt. */
export function words(text: string): CodexInput {
  return { type: 'text', text, text_elements: [] };
}

function encodeImage({ media_type, data, url }: Extract<PromptBlock, { type: 'image' }>): CodexInput {
  if (data !== undefined) return { type: 'image', url: `data:${media_type};base64,${data}` };
  if (url?.startsWith('data:')) return { type: 'image', url };
  if (url?.startsWith('file:')) return { type: 'localImage', path: fileURLToPath(url) };
  throw new DragomanError('unsupported-media', 'Codex takes no image by its address; attach the image itself');
}

function encodeFile(block: Extract<PromptBlock, { type: 'file' }>): CodexInput {
  const { name, media_type = '', data } = block;
  const place = block.uri === undefined ? block.url : toPath(block.uri);
  if (data === undefined) {
    if (place === undefined)
      throw new DragomanError('bad-request', `the file "${name}" has neither a place nor contents; attach it again`);
    const isLocalImage = media_type.startsWith('image/') && block.uri !== undefined;
    return isLocalImage ? { type: 'localImage', path: place } : words(`The file ${name} is at ${place}`);
  }
  const [, kind] = /^(image|audio)\//.exec(media_type) ?? [];
  if (kind !== undefined) return { type: kind as 'image' | 'audio', url: `data:${media_type};base64,${data}` };
  const text = attachedText(data);
  if (text !== undefined) return words(`The file ${name}:\n\n${text}`);
  if (place !== undefined) return words(`The file ${name} is at ${place}`);
  throw new DragomanError(
    'unsupported-media',
    `Codex takes pictures, sound and text, and "${name}" is neither; put it into the session's folder and name its path`,
  );
}

function toPath(uri: string): string {
  return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
}
