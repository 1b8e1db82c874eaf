import { z } from 'zod';
import { ownValue } from '../tools/json-object.ts';
import { parseAnswer } from '../upstreams/parse-answer.ts';

/** More than any model has; an answer that claims more is not one. */
const MOST_DIMENSIONS = 16_384;

const answerSchema = z.looseObject({
  // The numbers are looked at below: there are a hundred thousand of them.
  data: z.array(z.looseObject({ index: z.int().nullish(), embedding: z.unknown() })),
  usage: z.looseObject({ prompt_tokens: z.number().nullish() }).nullish(),
});

/** What a service answered. */
export interface VectorAnswer {
  /** In the order of the texts, all of one length. */
  vectors: Float32Array[];
  inputTokens: number | undefined;
}

/** Reads an answer to so many texts. A sentence says what is wrong with one that cannot be used. */
export function readVectors(text: string, count: number, dimensions: number | undefined): VectorAnswer | string {
  const body = parseAnswer(text);
  const sent = ownValue(body, 'data');
  // Before each of them is looked at: a service may send any number.
  if (Array.isArray(sent) && sent.length !== count) return `returned ${sent.length} vectors for ${count} texts`;
  const parsed = answerSchema.safeParse(body);
  if (!parsed.success) return 'did not return vectors';
  const { data, usage } = parsed.data;
  const vectors: Float32Array[] = [];
  for (const [at, { index, embedding }] of data.entries()) {
    const vector = toVector(embedding);
    if (vector === undefined) return 'returned a vector that is not made of numbers';
    vectors[index ?? at] = vector;
  }
  if (vectors.length !== count || vectors.includes(undefined as never))
    return `returned ${data.length} vectors for ${count} texts`;
  const expected = dimensions ?? vectors[0]?.length;
  const other = vectors.find(({ length }) => length !== expected);
  if (other !== undefined) return `returned a vector of ${other.length} numbers where ${expected} were expected`;
  return { vectors, inputTokens: usage?.prompt_tokens ?? undefined };
}

/** Numbers, or their bytes in base64. */
function toVector(embedding: unknown): Float32Array | undefined {
  const vector =
    typeof embedding === 'string'
      ? fromBase64(embedding)
      : Array.isArray(embedding) && embedding.every((value) => typeof value === 'number')
        ? Float32Array.from(embedding)
        : undefined;
  const isUsable = vector !== undefined && vector.length > 0 && vector.length <= MOST_DIMENSIONS;
  return isUsable && vector.every(Number.isFinite) ? vector : undefined;
}

function fromBase64(text: string): Float32Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length % 4 !== 0) return undefined;
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}
