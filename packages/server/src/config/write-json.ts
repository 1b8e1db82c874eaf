/** How a file is laid out: what its lines end with, and how far one step goes in. */
export interface JsonLayout {
  eol: string;
  step: string;
}

/** Lists of a few words stay on one line up to this length. */
const LINE_CHARS = 80;

/** How a text is laid out, as far as it shows. */
export function layoutOf(text: string): JsonLayout {
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', step: /^([ \t]+)["[{]/m.exec(text)?.[1] ?? '  ' };
}

/** JSON the way people write it into a configuration: an entry on each line, short lists on one. */
export function writeJson(value: unknown, indent: string, layout: JsonLayout): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const short = writeOnOneLine(value);
  const isPlainList = Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
  if (Object.keys(value).length === 0 || (isPlainList && short.length <= LINE_CHARS)) return short;

  const inner = indent + layout.step;
  const entries = Array.isArray(value)
    ? value.map((item) => writeJson(item, inner, layout))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${writeJson(item, inner, layout)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const lines = entries.map((entry) => `${layout.eol}${inner}${entry}`).join(',');
  return `${open}${lines}${layout.eol}${indent}${close}`;
}

/** JSON for a place where everything stands on one line. */
export function writeOnOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(writeOnOneLine).join(', ')}]`;
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${writeOnOneLine(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
