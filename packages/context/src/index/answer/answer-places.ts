import type { CodePlace } from '@dragoman/protocol';
import type { Hit } from '../code-index.ts';
import type { BlobBytes } from '../blobs/blob-store.ts';
import { type LinesAround, linesAround } from './lines-around.ts';
import { redactSource } from '@dragoman/protocol/secrets';
import { sourceLines } from './source-lines.ts';
import { wantedLines } from './wanted-lines.ts';

/** A key in the text is recognised by its beginning and its end, which may stand so far outside the place. */
const LINES_AROUND = 120;
const KEY_LINE = /-----(?:BEGIN|END) /;
/** A place can be a class of thousands of lines; what is shown of it is its beginning. */
const MOST_LINES = 400;
/** A line can be a whole program that was packed for the web. */
const MOST_CHARACTERS = 20_000;

/** The hits with the text that stands there, in the same order; one whose blob is not given is passed over. */
export function answerPlaces(hits: readonly Hit[], blobs: ReadonlyMap<string, BlobBytes>): CodePlace[] {
  return hits.flatMap((hit) => {
    const blob = blobs.get(hit.blobName);
    if (blob === undefined) return [];
    const around = linesOf(hit, blob.bytes);
    const { start, end } = wantedLines(hit, around.count);
    const { symbol, score } = hit;
    const text = beginning(redactedLines(around, start, Math.min(end, start + MOST_LINES - 1), blob.path));
    return [{ path: blob.path, start, end, ...(symbol === undefined ? {} : { symbol }), score, text }];
  });
}

/** Those around the hit; where the file has become shorter than that, those at its end. */
function linesOf({ start, end }: Hit, bytes: Uint8Array): LinesAround {
  const last = Math.max(start, end, 1) + LINES_AROUND;
  const around = linesAround(bytes, start - LINES_AROUND, last);
  return around.lines.length > 0 && around.count >= start
    ? around
    : linesAround(bytes, around.count - LINES_AROUND, around.count);
}

function redactedLines({ first, lines }: LinesAround, start: number, end: number, path: string): string {
  const from = Math.max(0, start - first - LINES_AROUND);
  const around = lines.slice(from, end - first + 1 + LINES_AROUND).join('\n');
  // Nearly no file has a key in it, and then what is around the place does not matter.
  if (!KEY_LINE.test(around)) return redactSource(lines.slice(start - first, end - first + 1).join('\n'), path);
  return sourceLines(redactSource(around, path))
    .slice(start - first - from, end - first + 1 - from)
    .join('\n');
}

/** Cut after the redaction, as half of a secret is not recognised. */
function beginning(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const lineEnd = text.lastIndexOf('\n', MOST_CHARACTERS);
  // Half of a character outside the basic plane is none.
  return lineEnd > 0 ? text.slice(0, lineEnd) : text.slice(0, MOST_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
}
