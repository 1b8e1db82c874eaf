import type { HubFile } from '@dragoman/protocol';
import { useEffect, useMemo } from 'react';

/** What a browser shows as a picture without running anything that is inside. */
const PICTURES = /^image\/(?:png|jpeg|gif|webp|avif)$/i;
const DRAWING = /^image\/svg\+xml$/i;

/**
 * An address for the bytes of a picture, to be shown by an `<img>`. It is never one of a document of this origin: a drawing
 * could be opened as one by its address, so it stands in an address that belongs to no origin.
 */
export function usePictureSource(file: HubFile | undefined): string | undefined {
  const source = useMemo(() => {
    if (file === undefined) return undefined;
    const [type = ''] = file.mediaType.split(';', 1);
    if (DRAWING.test(type)) return `data:image/svg+xml;base64,${toBase64(file.bytes)}`;
    const shown = PICTURES.test(type) ? type : 'application/octet-stream';
    return URL.createObjectURL(new Blob([file.bytes], { type: shown }));
  }, [file]);
  useEffect(() => () => (source?.startsWith('blob:') === true ? URL.revokeObjectURL(source) : undefined), [source]);
  return source;
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += 8192)
    text += String.fromCharCode(...bytes.subarray(from, from + 8192));
  return btoa(text);
}
