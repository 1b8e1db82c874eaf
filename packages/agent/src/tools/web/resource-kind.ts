import { mediaKind } from '../files/media-kind.ts';
import { looksLikeText } from './decode-text.ts';

/** What can be done with a resource: a page is made readable, text is shown, media is attached, the rest is of no use. */
export type ResourceKind = 'page' | 'text' | 'media' | 'binary';

/**
 * What a resource is. Images and PDF are told by their first bytes and not by what the server says: a wrong one in the
 * conversation would make the provider refuse every later call.
 */
export function resourceKind(contentType: string, bytes: Buffer): { kind: ResourceKind; mime: string } {
  const mime = mediaKind(bytes);
  if (mime !== undefined) return { kind: 'media', mime };

  const told = contentType.split(';')[0]!.trim().toLowerCase();
  if (told === 'text/html' || told === 'application/xhtml+xml') return { kind: 'page', mime: told };
  if (isTextType(told)) return { kind: 'text', mime: told };
  if (told !== '' && !told.endsWith('/octet-stream')) return { kind: 'binary', mime: told };
  if (!looksLikeText(bytes)) return { kind: 'binary', mime: told === '' ? 'application/octet-stream' : told };
  const head = bytes.toString('latin1', 0, 256);
  return /^\s*<(?:!doctype html|html)\b/i.test(head)
    ? { kind: 'page', mime: 'text/html' }
    : { kind: 'text', mime: 'text/plain' };
}

function isTextType(mime: string): boolean {
  return (
    mime.startsWith('text/') ||
    /\+(?:json|xml|yaml)$/.test(mime) ||
    /^application\/(?:(?:x-)?(?:json|ndjson|json5|jsonlines|xml|yaml|toml|javascript|ecmascript|typescript|sh|shellscript|sql|graphql|httpd-php|python|ruby|perl|tex|latex|www-form-urlencoded))$/.test(
      mime,
    )
  );
}
