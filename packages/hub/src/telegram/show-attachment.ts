import type { ContentBlockOf } from '@dragoman/protocol';
import type { Language } from '../channels/channel.ts';
import { oneLine, plainSpan } from './rich-text.ts';
import type { Block, FileBody } from './telegram-body.ts';
import { TELEGRAM_WORDS } from './telegram-words.ts';
import { webAddress } from './web-address.ts';

/** Bytes that are in the event itself are few; more would be carried around with every look at the post. */
const MAX_DATA_CHARS = 200_000;

type Attached = ContentBlockOf<'image' | 'file'>;

/** The line that stands where an image or a file was shown; its bytes are a message of their own. */
export function showAttachment(block: Attached, language: Language): Block[] {
  const words = TELEGRAM_WORDS[language];
  const name = nameOf(block, language);
  const link = isOfHub(block.url) ? undefined : webAddress(block.url ?? '');
  const place =
    block.type === 'file' && block.uri !== undefined && fileBody(block, undefined, language) === undefined
      ? ` (${oneLine(block.uri, 200)}, ${words.onMachine})`
      : '';
  const mark = block.type === 'image' ? '🖼 ' : '📎 ';
  const span = plainSpan(name);
  return [
    { type: 'text', spans: [{ text: mark }, link === undefined ? span : { ...span, url: link }, plainSpan(place)] },
  ];
}

/** The message with the bytes; nothing where there are none that we have. */
export function fileBody(block: Attached, link: string | undefined, language: Language): FileBody | undefined {
  const body = {
    type: 'file' as const,
    name: nameOf(block, language),
    mediaType: oneLine(block.media_type ?? 'application/octet-stream', 100),
    link,
  };
  if (isOfHub(block.url)) return { ...body, url: block.url };
  if (block.data === undefined || block.data === '' || block.data.length > MAX_DATA_CHARS) return undefined;
  return { ...body, data: block.data };
}

/** Only the hub's own: what is elsewhere is not fetched because an agent named it. */
function isOfHub(url: string | undefined): url is string {
  return url !== undefined && /^\/api\/attachments\/[\w-]+$/.test(url);
}

function nameOf(block: Attached, language: Language): string {
  const name = block.type === 'file' ? oneLine(block.name, 120) : '';
  return name === '' ? TELEGRAM_WORDS[language].image : name;
}
