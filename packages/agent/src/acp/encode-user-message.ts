import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk';
import type { FilePart, Message } from '@dragoman/protocol';
import { basename } from 'node:path';
import { imageData } from './encode-tool-call.ts';

/** A prompt that the client has not sent itself, or not lately. What only the model is told is left out. */
export function encodeUserMessage({ info, parts }: Message): SessionUpdate[] {
  return parts.flatMap((part): SessionUpdate[] => {
    const content =
      part.type === 'text'
        ? part.synthetic === true || part.text === ''
          ? undefined
          : ({ type: 'text', text: part.text } as const)
        : part.type === 'file'
          ? encodeFile(part)
          : undefined;
    return content === undefined ? [] : [{ sessionUpdate: 'user_message_chunk', messageId: info.id, content }];
  });
}

/** A file that the text names is seen there; pictures are shown, and of the rest it is said where they are. */
function encodeFile({ mime, url, filename, source }: FilePart): ContentBlock | undefined {
  if (source?.type === 'file' && source.text !== undefined) return undefined;
  const data = imageData(url);
  if (data !== undefined && mime.startsWith('image/')) return { type: 'image', mimeType: mime, data };
  const uri = source?.type === 'resource' ? source.uri : url.startsWith('data:') ? undefined : url;
  const name = filename ?? (uri === undefined ? 'a file' : basename(uri));
  return uri === undefined ? { type: 'text', text: `[${name}]` } : { type: 'resource_link', uri, name, mimeType: mime };
}
