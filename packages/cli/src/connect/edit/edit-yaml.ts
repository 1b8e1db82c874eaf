import { isDeepStrictEqual } from 'node:util';
import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseAllDocuments,
  parseDocument,
  stringify,
  type YAMLMap,
} from 'yaml';
import type { FileEdit } from './file-edit.ts';
import { unreadable } from './unreadable.ts';

type YamlEdit = Extract<FileEdit, { format: 'yaml' }>;

/**
 * Sets a key of a YAML file, or puts an item behind those of a list. What comes out is read again and compared with what was
 * meant: where a file is written in a way that this does not see through, it is refused.
 */
export function editYaml(text: string, edit: YamlEdit, file: string): string {
  const root = readRoot(text, file);
  const edited = 'key' in edit ? setKey(text, edit, root, file) : addItem(text, edit, root, file);
  const before = (parseDocument(text).toJS() ?? {}) as Record<string, unknown>;
  const wanted =
    'key' in edit
      ? { ...before, [edit.key]: edit.value }
      : {
          ...(root === undefined ? edit.head : {}),
          ...before,
          [edit.list]: [...((before[edit.list] as unknown[] | null | undefined) ?? []), edit.item],
        };
  const after = parseDocument(edited);
  if (after.errors.length > 0 || !isDeepStrictEqual(after.toJS(), wanted))
    throw unreadable(file, `${'key' in edit ? edit.key : edit.list} cannot be added to the way this file is written`);
  return edited;
}

function readRoot(text: string, file: string): YAMLMap | undefined {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines });
  const list = Array.isArray(documents) ? documents : [];
  const error = list.flatMap(({ errors }) => errors)[0];
  if (error !== undefined)
    throw unreadable(
      `${file}:${lines.linePos(error.pos[0]).line}`,
      error.message.split('\n')[0]!.replace(/[.:]? at line.*$/, ''),
    );
  if (list.length > 1) throw unreadable(file, 'it holds several documents');
  const contents = list[0]?.contents ?? null;
  if (contents === null || (isScalar(contents) && contents.value === null)) return undefined;
  if (!isMap(contents) || contents.flow === true) throw unreadable(file, 'expected keys, each on a line of its own');
  return contents;
}

function setKey(
  text: string,
  { key, value }: Extract<YamlEdit, { key: string }>,
  root: YAMLMap | undefined,
  file: string,
): string {
  const written = JSON.stringify(value);
  const pair = pairOf(root, key);
  if (pair === undefined) return append(text, root, `${key}: ${written}`);
  if (!isScalar(pair.value) || pair.value.range === undefined || pair.value.range === null)
    throw unreadable(file, `${key} is not a single value`);
  const [from, to] = pair.value.range;
  return text.slice(0, from) + (from === to && text[from - 1] === ':' ? ' ' : '') + written + text.slice(to);
}

function addItem(
  text: string,
  { list, item, head }: Extract<YamlEdit, { list: string }>,
  root: YAMLMap | undefined,
  file: string,
): string {
  const eol = eolOf(text);
  const lines = (indent: string) =>
    stringify([item], { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' })
      .trimEnd()
      .split('\n')
      .map((line) => indent + line)
      .join(eol);
  const pair = pairOf(root, list);
  if (pair === undefined) {
    const heads = root === undefined ? Object.entries(head).map(([key, value]) => `${key}: ${value}`) : [];
    return append(text, root, [...heads, `${list}:`, lines('  ')].join(eol), eol + indentOf(text, root));
  }
  const { value } = pair;
  if (
    !isSeq(value) ||
    value.flow === true ||
    value.items.length === 0 ||
    value.range === undefined ||
    value.range === null
  )
    throw unreadable(file, `${list} is not a list with an item on each line`);
  const dash = value.range[0];
  const indent = ' '.repeat(dash - (text.lastIndexOf('\n', dash - 1) + 1));
  const end = endOfItems(text, value.range[1]);
  return `${text.slice(0, end)}${eol}${lines(indent)}${text.slice(end)}`;
}

/** Behind the last line of a list that says something. */
function endOfItems(text: string, from: number): number {
  const before = text.slice(0, from).trimEnd();
  const end = text.indexOf('\n', before.length);
  if (end === -1) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

/** At the end of the file, as deep as its other keys. */
function append(text: string, root: YAMLMap | undefined, written: string, indentLines?: string): string {
  const eol = eolOf(text);
  const indent = indentOf(text, root);
  const gap = text === '' || text.endsWith('\n') ? '' : eol;
  const lines = indentLines === undefined ? written : written.replaceAll(eol, indentLines);
  return `${text}${gap}${indent}${lines}${eol}`;
}

function indentOf(text: string, root: YAMLMap | undefined): string {
  const from = root?.range?.[0];
  return from === undefined ? '' : ' '.repeat(from - (text.lastIndexOf('\n', from - 1) + 1));
}

function pairOf(root: YAMLMap | undefined, key: string): Pair | undefined {
  return root?.items.find(({ key: own }) => isScalar(own) && own.value === key);
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
