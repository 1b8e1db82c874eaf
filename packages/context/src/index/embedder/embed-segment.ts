import { DragomanError, type DragomanErrorCode } from '@dragoman/protocol/error';
import { packedBytes, packVector } from '../vectors/pack-vector.ts';
import type { Embedder } from './embedder.ts';
import { emptyVectors } from './empty-vectors.ts';
import { padVector } from './pad-vector.ts';
import type { TextsOfSegment, VectorsOfSegment } from './segment-texts.ts';

/** Texts that share their fate: where these cannot be embedded, others of the segment may. */
const TEXTS_A_CALL = 384;
/** Errors that are about what was sent. Any other is about who was asked, who is not asked for the rest. */
const ABOUT_TEXTS: ReadonlySet<DragomanErrorCode> = new Set(['bad-request', 'context-overflow', 'too-large']);

/** What came of embedding a segment. */
export interface EmbeddedSegment {
  vectors: VectorsOfSegment;
  /** How many texts got none, and why the last of them did not. */
  missing: number;
  error: unknown;
  /** Whoever makes them could not be had, whatever the text. */
  isDown: boolean;
}

/**
 * The vectors of a segment's chunks and paths. Equal texts are sent once.
 *
 * A text for which none can be had gets one that is near to nothing, and words still find it. Where there is none at all, the
 * segment has no vectors. Throws only where the signal says that it is not wanted any more.
 */
export async function embedSegment(
  { chunks, paths }: TextsOfSegment,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<EmbeddedSegment> {
  const texts = [...new Set([...chunks, ...paths])];
  const packed = new Map<string, Uint8Array>();
  let size = 0;
  let error: unknown;
  let isDown = false;
  for (let start = 0; start < texts.length && !isDown; start += TEXTS_A_CALL) {
    const some = texts.slice(start, start + TEXTS_A_CALL);
    try {
      const vectors = await embedder.embed(some, signal);
      size ||= packedBytes(padVector(vectors[0]!).length);
      for (const [at, text] of some.entries()) packed.set(text, pack(vectors[at]!, size, embedder));
    } catch (thrown) {
      signal.throwIfAborted();
      error = thrown;
      isDown = !(thrown instanceof DragomanError && ABOUT_TEXTS.has(thrown.code));
    }
  }
  const isMissing = (text: string) => !packed.has(text);
  return {
    vectors: { chunks: inARow(chunks, packed, size), paths: inARow(paths, packed, size) },
    missing: chunks.filter(isMissing).length + paths.filter(isMissing).length,
    error,
    isDown,
  };
}

function pack(vector: Float32Array, size: number, { space }: Embedder): Uint8Array {
  const padded = padVector(vector);
  if (packedBytes(padded.length) !== size)
    throw new DragomanError(
      'unavailable',
      `${space} made vectors of different lengths, one of them of ${vector.length} numbers: they cannot be compared.`,
    );
  const packed = new Uint8Array(size);
  packVector(padded, packed);
  return packed;
}

function inARow(
  texts: readonly string[],
  packed: ReadonlyMap<string, Uint8Array>,
  size: number,
): Uint8Array<ArrayBuffer> {
  const row = emptyVectors(texts.length, size);
  for (const [at, text] of texts.entries()) {
    const vector = packed.get(text);
    if (vector !== undefined) row.set(vector, at * size);
  }
  return row;
}
