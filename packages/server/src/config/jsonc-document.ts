import {
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
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
  InvalidNumberFormat: 'expected a number, found one that is not written as JSON writes it',
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
  InvalidCharacter: 'a control character, such as a line break or a tab, cannot stand inside text; write \\n or \\t',
};

/** Reads JSON with comments and trailing commas. A file with nothing but comments is an empty configuration. */
export function parseJsoncDocument(text: string, file: string): JsoncDocument {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const placeAt = (offset: number) => toPlace(text, file, offset);

  return {
    value: root === undefined ? {} : getNodeValue(root),
    problems: [...syntaxProblems(errors, text, placeAt), ...(root === undefined ? [] : repeatedNames(root, placeAt))],
    placeOf(path, part = 'value') {
      const { node, isExact } = closestNode(root, path);
      if (node === undefined) return placeAt(0);
      const key = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
      return placeAt(isExact && part === 'key' && key !== undefined ? key.offset : node.offset);
    },
    has: (path) => closestNode(root, path).isExact,
  };
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
    linesSeen.add(place.line);
    const found = error.offset >= text.trimEnd().length ? 'the end of the file' : JSON.stringify(text[error.offset]);
    problems.push({
      place,
      setting: '',
      message: `${SYNTAX_MESSAGES[printParseErrorCode(error.error)] ?? 'expected JSON'}, found ${found}`,
    });
  }
  return problems;
}

function repeatedNames(node: Node, placeAt: (offset: number) => ConfigPlace, path: JSONPath = []): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const seen = new Set<string>();
  for (const [index, child] of (node.children ?? []).entries()) {
    if (node.type === 'array') {
      problems.push(...repeatedNames(child, placeAt, [...path, index]));
      continue;
    }
    const [key, value] = child.children ?? [];
    if (key === undefined) continue;
    const name = String(key.value);
    const setting = formatSetting([...path, name]);
    if (seen.has(name))
      problems.push({ place: placeAt(key.offset), setting, message: 'is given twice; keep one of them' });
    seen.add(name);
    if (value !== undefined) problems.push(...repeatedNames(value, placeAt, [...path, name]));
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

function toPlace(text: string, file: string, offset: number): { file: string; line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { file, line: before.split('\n').length, column: offset - lineStart + 1 };
}
