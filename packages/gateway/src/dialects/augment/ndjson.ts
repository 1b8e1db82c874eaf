/** One value as one line: compact JSON and a line end, the last line's included, because readers drop a line without. */
export function encodeNdjsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** A line's value; nothing for a blank line or one that is not JSON, so that the next line is still read. */
export function decodeNdjsonLine(line: string): unknown {
  const text = line.trim();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
