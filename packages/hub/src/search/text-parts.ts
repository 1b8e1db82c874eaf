/** A long text is several rows: an index of positions is not made for books. */
const PART_CHARS = 8_000;
/** What is beyond that in one block is not found. */
const MAX_PARTS = 100;

/** The parts of a text, and where each begins. They end between two words where possible. */
export function* textParts(text: string): Generator<{ start: number; text: string }> {
  let start = 0;
  for (let count = 0; start < text.length && count < MAX_PARTS; count++) {
    let end = start + PART_CHARS;
    if (end < text.length) {
      const space = text.lastIndexOf(' ', end);
      if (space > start + PART_CHARS / 2) end = space;
    }
    yield { start, text: text.slice(start, end) };
    start = end;
  }
}
