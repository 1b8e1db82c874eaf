/** Deeper than this, the room to the left of a line is most of the text. */
const MAX_DEPTH = 40;

/** A value as people read it: on one line where it is short or very deep; nothing where it is deeper than the stack is high. */
export function prettyJson(value: unknown): string | undefined {
  try {
    const short = JSON.stringify(value);
    if (short === undefined) return undefined;
    return short.length <= 80 || isDeep(short) ? short : JSON.stringify(value, null, 2);
  } catch {
    return undefined;
  }
}

/** By its brackets; those in strings count too, which does no harm. */
function isDeep(json: string): boolean {
  let depth = 0;
  for (const [bracket] of json.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
