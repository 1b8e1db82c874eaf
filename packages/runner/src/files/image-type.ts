import type { ImagePiece } from '@dragoman/protocol';

/** What kind of image these bytes begin; nothing where they begin none that browsers show. An SVG also has to be called one. */
export function imageTypeOf(head: Buffer, name: string): ImagePiece['mediaType'] | undefined {
  const signs = head.toString('latin1', 0, 64);
  if (signs.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (signs.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(signs)) return 'image/gif';
  if (/^RIFF[^]{4}WEBP/.test(signs)) return 'image/webp';
  if (/^[^]{4}ftyp/.test(signs) && brandsOf(head).some((brand) => brand === 'avif' || brand === 'avis'))
    return 'image/avif';
  if (/\.svg$/i.test(name) && isDrawing(head)) return 'image/svg+xml';
  return undefined;
}

/** What a file of boxes says that it can be read as: the first word, and those behind the version. */
function brandsOf(head: Buffer): string[] {
  const end = Math.min(head.readUInt32BE(0), head.length, 256);
  const words: string[] = [];
  for (let at = 8; at + 4 <= end; at += 4) if (at !== 12) words.push(head.toString('latin1', at, at + 4));
  return words;
}

/** Whether the first element of a text is that of a drawing, behind its declaration, its document type and comments. */
function isDrawing(head: Buffer): boolean {
  if (head.includes(0)) return false;
  let text = head.toString('utf8').replace(/^\u{feff}/u, '');
  for (;;) {
    text = text.trimStart();
    if (/^<svg[\s>/]/.test(text)) return true;
    const end = endOfProlog(text);
    const at = end === undefined ? -1 : text.indexOf(end);
    if (end === undefined || at < 0) return false;
    text = text.slice(at + end.length);
  }
}

/** What ends the comment, the declaration or the document type that a text begins with. */
function endOfProlog(text: string): string | undefined {
  if (text.startsWith('<!--')) return '-->';
  if (/^<!DOCTYPE[^>[]*\[/i.test(text)) return ']>';
  return /^<[?!]/.test(text) ? '>' : undefined;
}
