/** A kind of image. */
export interface ImageType {
  mediaType: string;
  ending: string;
}

/** What kind of image these bytes are, by how they begin; a model refuses one that is called by another name. */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG')) return { mediaType: 'image/png', ending: 'png' };
  if (head.startsWith('\xff\xd8\xff')) return { mediaType: 'image/jpeg', ending: 'jpg' };
  if (head.startsWith('GIF8')) return { mediaType: 'image/gif', ending: 'gif' };
  if (head.startsWith('RIFF') && head.slice(8) === 'WEBP') return { mediaType: 'image/webp', ending: 'webp' };
  return undefined;
}
