import { DragomanError } from '@dragoman/protocol';
import { getNodeValue, type Node, parseTree } from 'jsonc-parser';
import { formatSetting } from './config-problem.ts';
import { type JsonLayout, layoutOf, writeJson, writeOnOneLine } from './write-json.ts';

/** A value for a setting, or none to take it out. */
export interface ConfigChange {
  path: readonly string[];
  value?: unknown;
}

/**
 * Changes settings in the text of a configuration and leaves the rest as people wrote it: comments, order, commas.
 *
 * An object that replaces one is compared with it, so that comments inside stay with what stays. jsonc-parser's own
 * editing is not used: it takes the neighbours' comments along when it removes something, and breaks `{ "a": 1, }`.
 * The text must be one that `parseJsoncDocument` finds no problem in.
 */
export function editConfig(text: string, changes: readonly ConfigChange[]): string {
  let edited = text;
  for (const change of changes) edited = applyChange(edited, change);
  return edited;
}

function applyChange(text: string, { path, value }: ConfigChange): string {
  if (path.includes('__proto__'))
    throw new DragomanError('bad-request', `${formatSetting(path)}: a setting cannot be named __proto__.`);
  const layout = layoutOf(text);
  const root = parseTree(text.replace(/^\uFEFF/, ' '), [], { allowTrailingComma: true, allowEmptyContent: true });
  if (root === undefined) {
    if (value === undefined) return text;
    const before = text === '' || text.endsWith('\n') ? text : text + layout.eol;
    return `${before}${writeJson(nested(path, value), '', layout)}${layout.eol}`;
  }

  let node = root;
  for (const [depth, key] of path.entries()) {
    if (node.type !== 'object') throw cannotHold(path, depth, node);
    const property = node.children?.find((child) => child.children?.[0]?.value === key);
    const inner = property?.children?.[1];
    if (property === undefined || inner === undefined)
      return value === undefined ? text : addProperty(text, node, key, nested(path.slice(depth + 1), value), layout);
    if (depth === path.length - 1 && value === undefined) return removeProperty(text, node, property);
    node = inner;
  }
  return replaceValue(text, node, path, value, layout);
}

function cannotHold(path: readonly string[], depth: number, node: Node): DragomanError {
  const whole = depth === 0 ? 'The configuration' : formatSetting(path.slice(0, depth));
  const found = node.type === 'array' ? 'a list' : 'a single value';
  return new DragomanError(
    'bad-request',
    `${whole} is ${found}, so ${formatSetting(path)} cannot be set on its own. Set the whole value.`,
  );
}

function replaceValue(text: string, node: Node, path: readonly string[], value: unknown, layout: JsonLayout): string {
  const before: unknown = getNodeValue(node);
  if (JSON.stringify(before) === JSON.stringify(value)) return text;
  if (node.type === 'object' && isObject(before) && isObject(value) && keepsOrder(before, value)) {
    // Only what they have themselves: every object inherits a `constructor`.
    const [old, wanted] = [new Map(Object.entries(before)), new Map(Object.entries(value))];
    const keys = [...new Set([...old.keys(), ...wanted.keys()])];
    const changed = keys.filter((key) => JSON.stringify(old.get(key)) !== JSON.stringify(wanted.get(key)));
    return editConfig(
      text,
      changed.map((key) => ({ path: [...path, key], value: wanted.get(key) })),
    );
  }
  return splice(text, node.offset, node.offset + node.length, writeJson(value, indentAt(text, node.offset), layout));
}

/** Whether what stays can stay where it is and what is new comes behind it. The order of rules has a meaning. */
function keepsOrder(before: object, after: object): boolean {
  const kept = Object.keys(before).filter((key) => Object.hasOwn(after, key));
  const merged = Object.fromEntries([...kept, ...Object.keys(after)].map((key) => [key, true]));
  return Object.keys(merged).join('\0') === Object.keys(after).join('\0');
}

function addProperty(text: string, object: Node, key: string, value: unknown, layout: JsonLayout): string {
  const close = object.offset + object.length - 1;
  const outer = indentAt(text, object.offset);
  const entry = (indent: string) => `${JSON.stringify(key)}: ${writeJson(value, indent, layout)}`;
  /** Behind the last thing that is written before the brace. */
  const end = close - /[ \t\r\n]*$/.exec(text.slice(object.offset + 1, close))![0].length;
  const last = object.children?.at(-1);
  if (last === undefined) {
    const indent = outer + layout.step;
    return splice(text, end, close, `${layout.eol}${indent}${entry(indent)}${layout.eol}${outer}`);
  }

  const lastEnd = last.offset + last.length;
  const comma = commaBehind(text, lastEnd);
  const indent = startsLine(text, last.offset) ? indentAt(text, last.offset) : outer + layout.step;
  const line = restOfLine(text, comma === undefined ? lastEnd : comma + 1);
  const trailing = comma === undefined ? '' : ',';
  let edited: string;
  if (line.isAll) edited = splice(text, line.end, line.end, `${layout.eol}${indent}${entry(indent)}${trailing}`);
  else if (text.slice(lastEnd, close).includes('\n'))
    edited = splice(text, end, end, `${layout.eol}${indent}${entry(indent)}${trailing}`);
  else edited = splice(text, end, end, ` ${JSON.stringify(key)}: ${writeOnOneLine(value)}${trailing}`);
  return comma === undefined ? splice(edited, lastEnd, lastEnd, ',') : edited;
}

/** Takes it out with its comma; where it has lines of its own, with those and what is said behind it. */
function removeProperty(text: string, object: Node, property: Node): string {
  const start = property.offset;
  const end = start + property.length;
  const comma = commaBehind(text, end);
  const isCommaNear = comma !== undefined && /^[ \t]*$/.test(text.slice(end, comma));
  const cutEnd = isCommaNear ? comma + 1 : end;
  const line = restOfLine(text, cutEnd);
  let edited: string;
  if ((comma === undefined || isCommaNear) && startsLine(text, start) && line.isAll) {
    edited = splice(text, lineStart(text, start), nextLine(text, line.end), '');
  } else {
    const spaces = /^[ \t]*/.exec(text.slice(cutEnd))![0].length;
    edited = comma === undefined || isCommaNear ? text : splice(text, comma, comma + 1, '');
    edited = splice(edited, start, cutEnd + spaces, '');
  }

  const previous = object.children![object.children!.indexOf(property) - 1];
  if (comma !== undefined || previous === undefined) return edited;
  const itsComma = commaBehind(text, previous.offset + previous.length)!;
  return splice(edited, itsComma, itsComma + 1, '');
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function splice(text: string, from: number, to: number, put: string): string {
  return text.slice(0, from) + put + text.slice(to);
}

/** The comma that follows a value, past whatever is said in between. */
function commaBehind(text: string, from: number): number | undefined {
  const between = /(?:[ \t\r\n]|\/\/[^\r\n]*|\/\*[^]*?\*\/)*/y;
  between.lastIndex = from;
  between.exec(text);
  return text[between.lastIndex] === ',' ? between.lastIndex : undefined;
}

/** Where the comments that finish a line end, and whether nothing but them is left of the line. */
function restOfLine(text: string, from: number): { end: number; isAll: boolean } {
  const rest = /[ \t]*(?:\/\*(?:(?!\*\/)[^\r\n])*\*\/[ \t]*)*(?:\/\/[^\r\n]*)?/y;
  rest.lastIndex = from;
  rest.exec(text);
  const end = rest.lastIndex;
  return { end, isAll: end >= text.length || /^\r?\n/.test(text.slice(end, end + 2)) };
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function nextLine(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline === -1 ? text.length : newline + 1;
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))![0];
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}
