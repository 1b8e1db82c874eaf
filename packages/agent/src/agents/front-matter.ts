import type { Document, LineCounter, YAMLMap } from 'yaml';

/** A Markdown file that begins with fields between two lines of `---`. */
export interface FrontMatter {
  /** The fields; an empty object where there are none. */
  fields: Readonly<Record<string, unknown>>;
  body: string;
  /** The line a field stands in, or the nearest that is known. Counted from 1, within the whole file. */
  lineOf(path: readonly PropertyKey[]): number;
}

/** What is wrong with the fields of a file, and where. */
export class FrontMatterError extends Error {
  override readonly name = 'FrontMatterError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Reads the fields and the body of a Markdown file. A file without fields is all body. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const opening = /^---[ \t]*\n/.exec(plain)?.[0];
  if (opening === undefined) return { fields: {}, body: plain.trim(), lineOf: () => 1 };
  const closing = /^---[ \t]*(?:\n|$)/m.exec(plain.slice(opening.length));
  if (closing === null) throw new FrontMatterError(1, 'the fields begin with "---" and never end with another "---"');

  const source = plain.slice(opening.length, opening.length + closing.index);
  const body = plain.slice(opening.length + closing.index + closing[0].length).trim();
  const { LineCounter: NewLineCounter, parseDocument } = await import('yaml');
  const lines = new NewLineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) throw new FrontMatterError(lines.linePos(error.pos[0]).line + 1, error.message);
  const fields = toFields(document);
  return { fields, body, lineOf: (path) => lineOf(document, lines, path) };
}

function toFields(document: Document.Parsed): Readonly<Record<string, unknown>> {
  let fields: unknown;
  try {
    fields = document.toJS();
  } catch (error) {
    throw new FrontMatterError(2, (error as Error).message);
  }
  if (fields === null || fields === undefined) return {};
  if (typeof fields !== 'object' || Array.isArray(fields))
    throw new FrontMatterError(2, 'between the lines of "---" stand fields such as "description: …"');
  return fields as Readonly<Record<string, unknown>>;
}

function lineOf(document: Document.Parsed, lines: LineCounter, path: readonly PropertyKey[]): number {
  let offset = 0;
  let node: unknown = document.contents;
  for (const step of path) {
    const pair = ((node as YAMLMap | null)?.items ?? []).find(
      (item) => (item.key as { value?: unknown } | null)?.value === step,
    );
    if (pair === undefined) break;
    offset = (pair.key as { range?: [number, number, number] | null }).range?.[0] ?? offset;
    node = pair.value;
  }
  return lines.linePos(offset).line + 1;
}
