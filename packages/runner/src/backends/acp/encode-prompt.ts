import { pathToFileURL } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { DragomanError, type PromptBlock } from '@dragoman/protocol';
import { attachedText } from '../../backend/attached-text.ts';
import { type Fields, isOffered } from '../../backend/fields.ts';

/**
 * A prompt as the agent takes it. Files on its machine are linked to, and what travels with the prompt is embedded where
 * the agent allows it; a text that it does not allow to embed is told in words. What it cannot take at all is refused,
 * because a prompt that silently loses a picture gets a wrong answer.
 */
export function encodePrompt(content: readonly PromptBlock[], promptCapabilities: Fields): ContentBlock[] {
  return content.map((block) => {
    switch (block.type) {
      case 'text':
        return { type: 'text', text: block.text };
      case 'image':
        return encodeImage(block, promptCapabilities);
      case 'file':
        return encodeFile(block, promptCapabilities);
    }
  });
}

function encodeImage(block: Extract<PromptBlock, { type: 'image' }>, offered: Fields): ContentBlock {
  const { media_type: mimeType, data, url } = block;
  if (data !== undefined && isOffered(offered, 'image')) return { type: 'image', mimeType, data };
  if (url !== undefined) return { type: 'resource_link', name: nameOf(url), uri: url, mimeType };
  throw new DragomanError(
    'unsupported-media',
    'this agent takes no images; leave the image out, or give the path of a file',
  );
}

function encodeFile(block: Extract<PromptBlock, { type: 'file' }>, offered: Fields): ContentBlock {
  const { name, media_type: mimeType, data } = block;
  const uri = block.uri === undefined ? block.url : toUri(block.uri);
  const media = mimeType === undefined ? {} : { mimeType };
  if (data === undefined) {
    if (uri !== undefined) return { type: 'resource_link', name, uri, ...media };
    throw new DragomanError('bad-request', `the file "${name}" has neither a place nor contents; attach it again`);
  }
  if (mimeType?.startsWith('image/') && isOffered(offered, 'image')) return { type: 'image', mimeType, data };
  if (mimeType?.startsWith('audio/') && isOffered(offered, 'audio')) return { type: 'audio', mimeType, data };
  const place = uri ?? `attachment:///${encodeURIComponent(name)}`;
  const text = attachedText(data);
  if (isOffered(offered, 'embeddedContext'))
    return {
      type: 'resource',
      resource: text === undefined ? { uri: place, blob: data, ...media } : { uri: place, text, ...media },
    };
  if (text !== undefined) return { type: 'text', text: `The file ${name}:\n\n${text}` };
  if (uri !== undefined) return { type: 'resource_link', name, uri, ...media };
  throw new DragomanError(
    'unsupported-media',
    `this agent takes no attached files, and "${name}" is not text; put it into the session's folder and name its path`,
  );
}

function toUri(place: string): string {
  return /^[a-z][a-z0-9+.-]+:/i.test(place) ? place : pathToFileURL(place).href;
}

function nameOf(url: string): string {
  return url.split(/[?#]/, 1)[0]!.split('/').findLast(Boolean) ?? url;
}
