import type { PromptBlock, PromptFile, PromptText } from '@dragoman/protocol';

/** Types whose bytes are words, beside `text/…`. */
const TEXTUAL = /^application\/(?:[\w.+-]*(?:json|xml|yaml|toml|javascript|typescript|sql|x-sh)|x-httpd-php|graphql)$/;

/**
 * A prompt as a model reads it. Files of words become words under their name, which every model can read; images and
 * documents stay what they are. The model has no tools, so that a file which is only named cannot be opened; it is told.
 */
export function encodePrompt(content: readonly PromptBlock[]): (PromptText | PromptFile)[] {
  const parts = content.map((block): PromptText | PromptFile => {
    if (block.type === 'text') return text(block.text);
    const name = block.type === 'file' ? block.name : undefined;
    const mediaType = block.media_type ?? 'application/octet-stream';
    const filename = name === undefined ? {} : { filename: name };
    if (block.data !== undefined) {
      const words = block.type === 'file' ? readWords(block.data, block.media_type) : undefined;
      if (words !== undefined) return text(`${name}:\n${fenced(words)}`);
      return { type: 'file', mediaType, data: { type: 'base64', base64: block.data }, ...filename };
    }
    if (block.url !== undefined && /^(?:https?|data):/i.test(block.url))
      return { type: 'file', mediaType, data: { type: 'url', url: block.url }, ...filename };
    return text(`(${name ?? 'An image'} is attached without its content, which cannot be read here.)`);
  });
  return parts.filter((part) => part.type !== 'text' || part.text !== '');
}

function text(words: string): PromptText {
  return { type: 'text', text: words };
}

/** The bytes as words, where they are some: by their type, or as they look where no type is given. */
function readWords(base64: string, mediaType: string | undefined): string | undefined {
  const type = mediaType?.split(';')[0]!.trim().toLowerCase();
  const isUnknown = type === undefined || type === 'application/octet-stream';
  if (!isUnknown && !type.startsWith('text/') && !TEXTUAL.test(type)) return undefined;
  try {
    const words = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
    return words.includes('\0') ? undefined : words;
  } catch {
    return undefined;
  }
}

/** In a fence that is longer than any inside. */
function fenced(words: string): string {
  const longest = Math.max(2, ...(words.match(/`{3,}/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${words}${words.endsWith('\n') ? '' : '\n'}${fence}`;
}
