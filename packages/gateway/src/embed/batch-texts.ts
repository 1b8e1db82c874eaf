/** Longer texts are cut: nearly every chunk of code is shorter. */
export const MOST_TEXT_BYTES = 8_000;
/** What one request may hold: services take 96 texts and more, and some no more than 16,000 tokens. */
const MOST_TEXTS = 96;
const MOST_BYTES = 48_000;

/** The texts in batches, each small enough for one request; in their order. */
export function batchTexts(texts: readonly string[]): string[][] {
  const batches: string[][] = [];
  let batch: string[] = [];
  let bytes = 0;
  for (const text of texts) {
    const size = Buffer.byteLength(text);
    if (batch.length === MOST_TEXTS || (batch.length > 0 && bytes + size > MOST_BYTES)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(text);
    bytes += size;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

/**
 * The beginning of a text, in so many bytes. A token is a byte or more, so that a text of 8,000 bytes fits a model that takes
 * 8,192 tokens, whatever is written in it.
 */
export function cutText(text: string, mostBytes: number): string {
  // No character takes less than a byte.
  const beginning = text.length > mostBytes ? text.slice(0, mostBytes) : text;
  if (Buffer.byteLength(beginning) <= mostBytes) return beginning.toWellFormed();
  const bytes = Buffer.from(beginning);
  let end = mostBytes;
  // Never in the middle of a character.
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
