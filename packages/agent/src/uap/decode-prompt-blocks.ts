import type { ContentBlock as AcpBlock } from '@agentclientprotocol/sdk';
import { DragomanError, type PromptBlock } from '@dragoman/protocol';
import { type DecodedPrompt, decodePrompt, type PromptPlace } from '../acp/decode-prompt.ts';

/**
 * The blocks of a prompt as text with files, by the rules that prompts of editors are read by: a file of the project is
 * named in the text and told with its content, one that comes along is told as it is.
 */
export function decodePromptBlocks(blocks: readonly PromptBlock[], place: PromptPlace): DecodedPrompt {
  const decoded = decodePrompt(blocks.flatMap(toAcpBlock), place);
  const linked = blocks.flatMap((block) =>
    block.type === 'image' && block.data === undefined
      ? [{ type: 'file' as const, mime: block.media_type, url: addressOf(block) }]
      : [],
  );
  return { ...decoded, parts: [...decoded.parts, ...linked] };
}

function toAcpBlock(block: PromptBlock): AcpBlock[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'image':
      return block.data === undefined ? [] : [{ type: 'image', mimeType: block.media_type, data: block.data }];
    case 'file': {
      const { name, media_type: mimeType = 'application/octet-stream', data, uri = block.url } = block;
      if (data === undefined) return [{ type: 'resource_link', name, uri: uri ?? addressOf(block) }];
      const text = isMedia(mimeType) ? undefined : textOf(data);
      const resource = text === undefined ? { blob: data, mimeType } : { text };
      return [{ type: 'resource', resource: { uri: block.uri ?? name, ...resource } }];
    }
  }
}

/** What models take as bytes; everything else they read as text, where it is text. */
function isMedia(mimeType: string): boolean {
  return mimeType.startsWith('image/') || mimeType === 'application/pdf';
}

function textOf(base64: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function addressOf(block: Exclude<PromptBlock, { type: 'text' }>): string {
  if (block.url !== undefined) return block.url;
  const name = block.type === 'file' ? `The file "${block.name}"` : 'An image';
  throw new DragomanError('bad-request', `${name} of the prompt has neither data nor an address; attach it again.`);
}
