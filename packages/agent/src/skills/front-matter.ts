import type { Document, LineCounter } from 'yaml';
import { SkillFileError } from './skill-file-error.ts';

/** The settings at the head of a Markdown file, and the text below them. */
interface FrontMatter {
  fields: Readonly<Record<string, unknown>>;
  body: string;
  /** Where a field stands; the first line when it is not there. */
  lineOf(field: string): number;
}

/**
 * Reads the YAML between two lines of three hyphens. What editors leave behind is no mistake: a byte order mark, line ends of
 * Windows, spaces after the hyphens. Throws `SkillFileError` with the line of the file.
 */
export async function readFrontMatter(text: string, path: string): Promise<FrontMatter> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  if (!MARKER.test(lines[0]!))
    throw new SkillFileError(path, 1, 'there is no front matter; the first line must be "---"');
  const end = lines.findIndex((line, index) => index > 0 && MARKER.test(line));
  if (end === -1) throw new SkillFileError(path, 1, 'the front matter has no end; a line "---" must follow it');

  const { document, lines: counter } = await parseYaml(lines.slice(1, end), path);
  const fields = valueOf(document, path);
  const { isMap, isScalar } = await import('yaml');
  return {
    fields,
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
    lineOf(field) {
      const pairs = isMap(document.contents) ? document.contents.items : [];
      const key = pairs.map((pair) => pair.key).find((found) => isScalar(found) && found.value === field);
      return isScalar(key) && key.range ? lineIn(counter, key.range[0]) : 1;
    },
  };
}

const MARKER = /^---[ \t]*$/;

interface Parsed {
  document: Document.Parsed;
  lines: LineCounter;
}

async function parseYaml(lines: readonly string[], path: string): Promise<Parsed> {
  const { LineCounter, parseDocument } = await import('yaml');
  const parse = (text: string): Parsed => {
    const counter = new LineCounter();
    return { document: parseDocument(text, { lineCounter: counter, prettyErrors: false }), lines: counter };
  };

  const parsed = parse(lines.join('\n'));
  const problem = parsed.document.errors[0];
  if (problem === undefined) return parsed;
  if (problem.code === 'BLOCK_AS_IMPLICIT_KEY') {
    const again = parse(lines.map(quoted).join('\n'));
    if (again.document.errors.length === 0) return again;
  }
  throw new SkillFileError(
    path,
    lineIn(parsed.lines, problem.pos[0]),
    `the front matter is not YAML: ${problem.message}`,
  );
}

/**
 * `description: Use it when: …` is not YAML, and still what people write and other agents read: a plain text with a colon in
 * it is taken as text.
 */
function quoted(line: string): string {
  const [, key, value] = /^([A-Za-z][\w-]*):[ \t]+([^\s"'|>[{&*!%@`#].*:(?:[ \t].*)?)$/.exec(line) ?? [];
  return key === undefined ? line : `${key}: ${JSON.stringify(value!.trimEnd())}`;
}

function valueOf(document: Document.Parsed, path: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = document.toJS();
  } catch (cause) {
    throw new SkillFileError(path, 2, `the front matter is not YAML: ${(cause as Error).message}`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SkillFileError(path, 2, 'the front matter must be lines of "field: value", such as "name: my-skill"');
  return value as Readonly<Record<string, unknown>>;
}

/** The first line of the file is the marker. */
function lineIn(counter: LineCounter, offset: number): number {
  return counter.linePos(offset).line + 1;
}
