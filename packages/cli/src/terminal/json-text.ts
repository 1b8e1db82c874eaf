/** Valid in JSON as they are, and not harmless on a terminal or for those who split lines. */
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g;

/** A value as JSON that is harmless where a person looks at it, and reads as the same value. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSAFE, escaped);
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
