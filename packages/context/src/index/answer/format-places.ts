import type { CodePlace } from '@dragoman/protocol';
import { layOutPieces } from './lay-out-pieces.ts';

/** Places as the text a model reads, in the form of an answer and no longer than `maxLength` characters. */
export function formatPlaces(places: readonly CodePlace[], maxLength: number): string {
  const files = places.map(({ path, start, text }) => {
    const lines = text.split('\n');
    return { path, firstLine: start, lines, wanted: [{ start, end: start + lines.length - 1 }] };
  });
  return layOutPieces(files, maxLength);
}
