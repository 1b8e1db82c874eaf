import { z } from 'zod';
import type { MessageEvent } from './lark-event-wire.ts';
import { readPost } from './read-post.ts';

/** A file of a message, as Lark names it. */
export interface MessageResource {
  /** What the download asks for. */
  type: 'image' | 'file';
  kind: 'image' | 'file' | 'voice';
  key: string;
  name: string;
  mediaType: string;
}

/** What a message says. */
export interface ReadMessage {
  /** Without the name of the bot. */
  text: string;
  resources: MessageResource[];
  mentionsBot: boolean;
}

const contentSchema = z.object({
  text: z.string().nullish(),
  image_key: z.string().nullish(),
  file_key: z.string().nullish(),
  file_name: z.string().nullish(),
});

/** Reads what a person sent. Nothing for kinds that hold neither words nor a file, such as stickers and shared cards. */
export function readMessage(message: MessageEvent['message'], botOpenId: string | undefined): ReadMessage | undefined {
  const content = parsed(message.content);
  const plain = contentSchema.safeParse(content).data ?? {};
  const mentions = message.mentions ?? [];
  const isBot = (openId: string | null | undefined) => botOpenId !== undefined && openId === botOpenId;
  const mentionsBot = mentions.some((mention) => isBot(mention.id?.open_id));
  const named = (text: string) => nameMentions(text, mentions, isBot);
  switch (message.message_type) {
    case 'text':
      return { text: named(plain.text ?? ''), resources: [], mentionsBot };
    case 'post': {
      const post = readPost(content);
      return {
        text: named(post.text),
        resources: [...post.images.map((key) => imageOf(key)), ...post.media.map(({ key, name }) => fileOf(key, name))],
        mentionsBot,
      };
    }
    case 'image':
      return plain.image_key ? { text: '', resources: [imageOf(plain.image_key)], mentionsBot } : undefined;
    case 'file':
    case 'media':
      return plain.file_key
        ? { text: '', resources: [fileOf(plain.file_key, plain.file_name || 'file')], mentionsBot }
        : undefined;
    case 'audio':
      return plain.file_key ? { text: '', resources: [voiceOf(plain.file_key)], mentionsBot } : undefined;
    default:
      return undefined;
  }
}

function nameMentions(
  text: string,
  mentions: NonNullable<MessageEvent['message']['mentions']>,
  isBot: (openId: string | null | undefined) => boolean,
): string {
  const byKey = new Map(mentions.map((mention) => [mention.key, mention]));
  return text
    .replaceAll(/@_user_\d+ ?|@_all\b/gu, (found) => {
      const key = found.trimEnd();
      if (key === '@_all') return '@all';
      const mention = byKey.get(key);
      if (mention === undefined) return found;
      return isBot(mention.id?.open_id) ? '' : `@${mention.name ?? '?'}${found.slice(key.length)}`;
    })
    .trim();
}

function imageOf(key: string): MessageResource {
  // Lark does not say what kind of image it is; that is seen when it is read.
  return { type: 'image', kind: 'image', key, name: 'image.png', mediaType: 'image/png' };
}

function fileOf(key: string, name: string): MessageResource {
  const ending = /\.([a-z0-9]+)$/iu.exec(name)?.[1]?.toLowerCase() ?? '';
  return { type: 'file', kind: 'file', key, name, mediaType: MEDIA_TYPES[ending] ?? 'application/octet-stream' };
}

/** Voice messages are Opus in Ogg. */
function voiceOf(key: string): MessageResource {
  return { type: 'file', kind: 'voice', key, name: 'voice.ogg', mediaType: 'audio/ogg' };
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** What a model can look at or read; everything else is bytes. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  xml: 'application/xml',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  mp4: 'video/mp4',
  mp3: 'audio/mpeg',
  zip: 'application/zip',
};
