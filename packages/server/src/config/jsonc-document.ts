import {
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
  visit,
} from 'jsonc-parser';
import { type ConfigPlace, type ConfigProblem, formatSetting } from './config-problem.ts';

/** JSON with comments, with the way from a setting back to its line. */
export interface JsoncDocument {
  value: unknown;
  problems: ConfigProblem[];
  /** Where a setting stands, or the closest thing around it that is written down. */
  placeOf(path: readonly PropertyKey[], part?: 'key' | 'value'): ConfigPlace;
  has(path: readonly PropertyKey[]): boolean;
}

const SYNTAX_MESSAGES: Readonly<Record<string, string>> = {
  InvalidSymbol: 'expected a value; text needs double quotes',
  InvalidNumberFormat: 'expected a number in JSON format',
  PropertyNameExpected: 'expected a name in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected ":" after the name',
  CommaExpected: 'expected "," before this',
  CloseBraceExpected: 'expected "}"',
  CloseBracketExpected: 'expected "]"',
  EndOfFileExpected: 'expected nothing after the last "}"',
  InvalidCommentToken: 'this comment is not allowed here',
  UnexpectedEndOfComment: 'this comment has no end; expected "*/"',
  UnexpectedEndOfString: "this text has no end; expected '\"'",
  UnexpectedEndOfNumber: 'this number has no end',
  InvalidUnicode: 'expected four hexadecimal digits after \\u',
  InvalidEscapeCharacter: 'unknown escape; a backslash is written \\\\',
  InvalidCharacter: 'text cannot contain a control character, such as a line break or a tab; write \\n or \\t',
};

/** Reads JSON with comments and trailing commas. A file with nothing but comments is an empty configuration. */
export function parseJsoncDocument(source: string, file: string): JsoncDocument {
  const text = source.replace(/^\uFEFF/, ' '); // The mark that some editors begin a file with.
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const toPlace = placesIn(text);
  const placeAt = (offset: number) => ({ file, ...toPlace(offset) });

  return {
    value: root === undefined ? {} : getNodeValue(root),
    problems: [...syntaxProblems(errors, text, placeAt), ...(root === undefined ? [] : entryProblems(root, placeAt))],
    placeOf(path, part = 'value') {
      const { node, isExact } = closestNode(root, path);
      if (node === undefined) return placeAt(0);
      const key = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
      return placeAt(isExact && part === 'key' && key !== undefined ? key.offset : node.offset);
    },
    has: (path) => closestNode(root, path).isExact,
  };
}

/** The first thing that keeps a text from being strict JSON, in words; nothing where that cannot be told. */
export function firstJsonProblem(text: string): string | undefined {
  let problem: string | undefined;
  try {
    visit(
      text,
      {
        onError(code, offset) {
          const { line, column } = placesIn(text)(offset);
          problem = `line ${line}, column ${column}: ${describeSyntax(printParseErrorCode(code), offset, text)}`;
          throw new Error(problem); // Stops at the first one: what follows may be endless.
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch {
    // Stopped above, or nested too deeply to be followed.
  }
  return problem;
}

/** One slip often trips the parser several times on its line; the first message is the one that helps. */
function syntaxProblems(
  errors: ParseError[],
  text: string,
  placeAt: (offset: number) => ConfigPlace & { line: number },
): ConfigProblem[] {
  const linesSeen = new Set<number>();
  const problems: ConfigProblem[] = [];
  for (const error of errors) {
    const place = placeAt(error.offset);
    if (linesSeen.has(place.line)) continue;
    if (linesSeen.size === MAX_SYNTAX_PROBLEMS) break;
    linesSeen.add(place.line);
    problems.push({
      place,
      setting: '',
      message: describeSyntax(printParseErrorCode(error.error), error.offset, text),
    });
  }
  return problems;
}

const MAX_SYNTAX_PROBLEMS = 20;

function describeSyntax(code: string, offset: number, text: string): string {
  const found = offset >= text.trimEnd().length ? 'the end of the file' : JSON.stringify(text[offset]);
  return `${SYNTAX_MESSAGES[code] ?? 'expected JSON'}, found ${found}`;
}

/** Every reader of the settings does some work for each entry, and nobody sets up that many. */
const MOST_ENTRIES = 1000;

/** Names that are given twice, and lists and groups with too many entries. */
function entryProblems(node: Node, placeAt: (offset: number) => ConfigPlace, path: JSONPath = []): ConfigProblem[] {
  const children = node.children ?? [];
  if (children.length > MOST_ENTRIES) {
    const message = `has ${children.length} entries; at most ${MOST_ENTRIES} are read`;
    return [{ place: placeAt(node.offset), setting: formatSetting(path), message }];
  }
  const problems: ConfigProblem[] = [];
  const seen = new Set<string>();
  for (const [index, child] of children.entries()) {
    if (node.type === 'array') {
      problems.push(...entryProblems(child, placeAt, [...path, index]));
      continue;
    }
    const [key, value] = child.children ?? [];
    if (key === undefined) continue;
    const name = String(key.value);
    const setting = formatSetting([...path, name]);
    if (seen.has(name))
      problems.push({ place: placeAt(key.offset), setting, message: 'is given twice; keep one of them' });
    seen.add(name);
    if (value !== undefined) problems.push(...entryProblems(value, placeAt, [...path, name]));
  }
  return problems;
}

function closestNode(
  root: Node | undefined,
  path: readonly PropertyKey[],
): { node: Node | undefined; isExact: boolean } {
  if (root === undefined) return { node: undefined, isExact: false };
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length) as JSONPath);
    if (node !== undefined) return { node, isExact: length === path.length };
  }
  return { node: root, isExact: path.length === 0 };
}

/** Lines are found once, so that many places cost little. */
function placesIn(text: string): (offset: number) => { line: number; column: number } {
  let starts: number[] | undefined;
  return (offset) => {
    if (starts === undefined) {
      starts = [0];
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
    }
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}
