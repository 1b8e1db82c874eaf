import type { CodePlace } from '@dragoman/protocol';
import type { Turns } from '@dragoman/protocol/secrets';
import type { Hit } from '../code-index.ts';
import type { BlobBytes } from '../blobs/blob-store.ts';
import { type LinesAround, linesAround } from './lines-around.ts';
import { LINES_AROUND, redactLines } from './redact-lines.ts';
import { wantedLines } from './wanted-lines.ts';

/** A place can be a class of thousands of lines; what is shown of it is its beginning. */
const MOST_LINES = 400;
/** A line can be a whole program that was packed for the web. */
const MOST_CHARACTERS = 20_000;

/** The hits with the text that stands there, in the same order; one whose blob is not given is passed over. A piece at a time. */
export function* answerPlaces<Found extends Hit>(
  hits: readonly Found[],
  blobs: ReadonlyMap<string, BlobBytes>,
): Turns<{ hit: Found; place: CodePlace }[]> {
  const places: { hit: Found; place: CodePlace }[] = [];
  for (const hit of hits) {
    const blob = blobs.get(hit.blobName);
    if (blob === undefined) continue;
    const { first, lines, count } = linesOf(hit, blob.bytes);
    const { start, end } = wantedLines(hit, count);
    const { symbol, score } = hit;
    const last = Math.min(end, start + MOST_LINES - 1);
    const text = beginning((yield* redactLines(lines, start - first, last - first + 1, blob.path)).join('\n'));
    places.push({
      hit,
      place: { path: blob.path, start, end, ...(symbol === undefined ? {} : { symbol }), score, text },
    });
    yield;
  }
  return places;
}

/** Those around the hit; where the file has become shorter than that, those at its end. */
function linesOf({ start, end }: Hit, bytes: Uint8Array): LinesAround {
  const last = Math.max(start, end, 1) + LINES_AROUND;
  const around = linesAround(bytes, start - LINES_AROUND, last);
  return around.lines.length > 0 && around.count >= start
    ? around
    : linesAround(bytes, around.count - LINES_AROUND, around.count);
}

/** Cut after the redaction, as half of a secret is not recognised. */
function beginning(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const lineEnd = text.lastIndexOf('\n', MOST_CHARACTERS);
  // Half of a character outside the basic plane is none.
  return lineEnd > 0 ? text.slice(0, lineEnd) : text.slice(0, MOST_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
}
