import type { Document, LineCounter, YAMLMap } from 'yaml';

/** A Markdown file that begins with fields between two lines of `---`. */
export interface FrontMatter {
  /** Whether there are such lines at all. */
  isThere: boolean;
  /** The fields; an empty object where there are none. */
  fields: Readonly<Record<string, unknown>>;
  /** The text below the fields, with plain line ends and nothing around it. */
  body: string;
  /** The line of the file a field stands in, or the nearest one around it that is there; 1 where none is. */
  lineOf(path: readonly PropertyKey[]): number;
}

/** What is wrong with the fields of a file, and in which line, counted from 1. */
export class FrontMatterError extends Error {
  override readonly name = 'FrontMatterError';
  readonly line: number;

  constructor(line: number, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.line = line;
  }
}

const MARKER = /^---[ \t]*$/;

/**
 * Reads the fields and the body of a Markdown file. A file without fields is all body.
 *
 * What editors leave behind is no mistake: a byte order mark, line ends of any kind, spaces after the hyphens. Throws
 * `FrontMatterError` for what is.
 */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  if (!MARKER.test(lines[0]!)) return { isThere: false, fields: {}, body: joined(lines), lineOf: () => 1 };
  const end = lines.findIndex((line, index) => index > 0 && MARKER.test(line));
  if (end === -1) throw new FrontMatterError(1, 'the front matter has no end; a line "---" must follow it');

  const { document, counter } = await parseYaml(lines.slice(1, end));
  return {
    isThere: true,
    fields: fieldsOf(document),
    body: joined(lines.slice(end + 1)),
    lineOf: (path) => lineOf(document, counter, path),
  };
}

function joined(lines: readonly string[]): string {
  return lines.join('\n').trim();
}

interface Parsed {
  document: Document.Parsed;
  counter: LineCounter;
}

async function parseYaml(lines: readonly string[]): Promise<Parsed> {
  const { LineCounter: Counter, parseDocument } = await import('yaml');
  const parse = (source: readonly string[]): Parsed => {
    const counter = new Counter();
    return { document: parseDocument(source.join('\n'), { lineCounter: counter, prettyErrors: false }), counter };
  };

  const parsed = parse(lines);
  const [problem] = parsed.document.errors;
  if (problem === undefined) return parsed;
  if (problem.code === 'BLOCK_AS_IMPLICIT_KEY') {
    const again = parse(lines.map(quoted));
    if (again.document.errors.length === 0) return again;
  }
  throw notYaml(lineIn(parsed.counter, problem.pos[0]), problem);
}

/**
 * `description: Use it when: …` is not YAML, and still what people write and other agents read: a plain text with a colon
 * in it is taken as text.
 */
function quoted(line: string): string {
  const [, key, value] = /^([A-Za-z][\w-]*):[ \t]+([^\s"'|>[{&*!%@`#].*:(?:[ \t].*)?)$/.exec(line) ?? [];
  return key === undefined ? line : `${key}: ${JSON.stringify(value!.trimEnd())}`;
}

function fieldsOf(document: Document.Parsed): Readonly<Record<string, unknown>> {
  let fields: unknown;
  try {
    fields = document.toJS() ?? {};
  } catch (error) {
    throw notYaml(2, error as Error);
  }
  if (typeof fields !== 'object' || Array.isArray(fields))
    throw new FrontMatterError(2, 'the front matter must be lines of "field: value", such as "description: …"');
  return fields as Readonly<Record<string, unknown>>;
}

function notYaml(line: number, cause: Error): FrontMatterError {
  return new FrontMatterError(line, `the front matter is not YAML: ${cause.message}`, { cause });
}

function lineOf(document: Document.Parsed, counter: LineCounter, path: readonly PropertyKey[]): number {
  let line = 1;
  let node: unknown = document.contents;
  for (const step of path) {
    const pair = ((node as YAMLMap | null)?.items ?? []).find(
      (item) => (item.key as { value?: unknown } | null)?.value === step,
    );
    if (pair === undefined) break;
    const { range } = pair.key as { range?: [number, number, number] | null };
    if (range) line = lineIn(counter, range[0]);
    node = pair.value;
  }
  return line;
}

/** The first line of the file is the marker. */
function lineIn(counter: LineCounter, offset: number): number {
  return counter.linePos(offset).line + 1;
}
