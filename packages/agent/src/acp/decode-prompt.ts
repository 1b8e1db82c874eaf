import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ContentBlock, EmbeddedResource, ResourceLink } from '@agentclientprotocol/sdk';
import { DragomanError, type FilePart, type SessionInfo } from '@dragoman/protocol';
import type { PromptPart } from '../session/admit-prompt.ts';
import { pathBelow } from '../tools/files/resolve-path.ts';
import { readMentioned } from '../workplace/read-mentions.ts';

/** Where the session works. */
export type PromptPlace = Pick<SessionInfo, 'cwd' | 'root'>;

/** A prompt before it is sent to the session. */
export interface DecodedPrompt {
  text: string;
  parts: PromptPart[];
}

type NewFile = Omit<FilePart, 'id' | 'sessionID' | 'messageID'>;

/**
 * The blocks of a prompt as text with files.
 *
 * Where a file is linked or comes along, the text names it, so that the sentence around it can still be read. A linked
 * file of the project is told with its content, as one that is mentioned with `@`; any other the agent reads itself.
 */
export function decodePrompt(blocks: readonly ContentBlock[], place: PromptPlace): DecodedPrompt {
  const parts: PromptPart[] = [];
  let text = '';
  let isAfterLink = false;
  const say = (words: string) => {
    if (isAfterLink ? /^[\p{L}\p{N}[]/u.test(words) : /\S$/.test(text) && /^\S/.test(words))
      text += isAfterLink ? ' ' : '\n';
    text += words;
    isAfterLink = false;
  };
  /** Gives back the place in the text. */
  const link = (name: string, target: string) => {
    if (/[^\s([{"']$/.test(text)) text += ' ';
    const value = `[${name}](${target})`;
    const start = text.length;
    text += value;
    isAfterLink = true;
    return { value, start, end: text.length };
  };

  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        say(block.text);
        break;
      case 'image':
        parts.push({ type: 'file', mime: block.mimeType, url: `data:${block.mimeType};base64,${block.data}` });
        break;
      case 'resource_link':
        parts.push(...linkedFile(block, place, link));
        break;
      case 'resource':
        parts.push(embeddedFile(block, place, link));
        break;
      case 'audio':
        throw new DragomanError('bad-request', 'Audio cannot be sent: this agent takes text, images and files.');
    }
  }
  return { text, parts };
}

type Link = (name: string, target: string) => { value: string; start: number; end: number };

function linkedFile({ uri, name }: ResourceLink, place: PromptPlace, link: Link): NewFile[] {
  const file = fileAt(uri, place);
  const inText = link(name, file?.shown ?? uri);
  const content = file === undefined ? undefined : readMentioned(file.path, place.root, inText);
  return content === undefined ? [] : [content];
}

function embeddedFile({ resource }: EmbeddedResource, place: PromptPlace, link: Link): NewFile {
  const file = fileAt(resource.uri, place);
  const inText = link(file === undefined ? lastPiece(resource.uri) : basename(file.shown), file?.shown ?? resource.uri);
  const [mime, base64] =
    'text' in resource
      ? [textType(resource.mimeType), Buffer.from(resource.text).toString('base64')]
      : [resource.mimeType ?? 'application/octet-stream', resource.blob];
  return {
    type: 'file',
    mime,
    filename: file?.shown ?? resource.uri,
    url: `data:${mime};base64,${base64}`,
    source:
      file === undefined
        ? { type: 'resource', clientName: 'editor', uri: resource.uri }
        : { type: 'file', path: pathBelow(place.root, file.path) ?? file.path, text: inText },
  };
}

/** Which file an address means, and how the agent would name it; with the lines it points at, where it does. */
function fileAt(uri: string, { cwd }: PromptPlace): { path: string; shown: string } | undefined {
  const url = uri.startsWith('/') ? pathToFileURL(uri) : URL.parse(uri);
  if (url?.protocol !== 'file:') return undefined;
  try {
    const path = fileURLToPath(`file://${url.host}${url.pathname}`);
    return { path, shown: (pathBelow(cwd, path) ?? path) + url.hash };
  } catch {
    return undefined;
  }
}

function lastPiece(uri: string): string {
  return uri.split(/[/?#]/).findLast((piece) => piece !== '') ?? uri;
}

/** Text is told as text, whatever language it is in. */
function textType(mime: string | null | undefined): string {
  return mime?.startsWith('text/') === true ? mime : 'text/plain';
}
