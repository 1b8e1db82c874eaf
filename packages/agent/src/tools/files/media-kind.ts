import { ToolError } from '../tool.ts';
import { readReal } from './read-real.ts';

/** What a model can be shown as it is. */
export type MediaKind = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf';

const MAX_MEDIA_BYTES = 10 * 1024 * 1024;

/** Images and PDF by their first bytes: names lie. */
export function mediaKind(head: Buffer): MediaKind | undefined {
  const starts = (text: string, at = 0) => head.toString('latin1', at, at + text.length) === text;
  if (starts('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (starts('\xff\xd8\xff')) return 'image/jpeg';
  if (starts('GIF87a') || starts('GIF89a')) return 'image/gif';
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp';
  return starts('%PDF-') ? 'application/pdf' : undefined;
}

/** The whole file as a `data:` address. One that is larger than models take is refused. */
export function mediaUrl(real: string, shown: string, kind: MediaKind, size: number): string {
  if (size > MAX_MEDIA_BYTES)
    throw new ToolError(
      `${shown} (${kind}) is ${size} bytes; up to ${MAX_MEDIA_BYTES} can be shown. Make a smaller copy, or take out the part that matters.`,
    );
  return `data:${kind};base64,${readReal(real).toString('base64')}`;
}
