import type { FileEdit } from './file-edit.ts';
import { type TomlStatement, tomlStatements } from './toml-statements.ts';
import { unreadable } from './unreadable.ts';

type TomlEdit = Extract<FileEdit, { format: 'toml' }>;

/** Sets a key before the first table of a TOML file, or a table as a whole. */
export function editToml(text: string, edit: TomlEdit, file: string): string {
  const statements = tomlStatements(text);
  if (!Array.isArray(statements)) throw unreadable(`${file}:${lineAt(text, statements.problemAt)}`, 'this is not TOML');
  return 'key' in edit ? setKey(text, edit, statements, file) : setTable(text, edit, statements, file);
}

function setKey(
  text: string,
  { key, value }: Extract<TomlEdit, { key: string }>,
  statements: readonly TomlStatement[],
  file: string,
): string {
  const firstTable = statements.findIndex(({ kind }) => kind === 'table');
  const top = firstTable === -1 ? statements : statements.slice(0, firstTable);
  const found = top.filter(({ name }) => name[0] === key);
  if (found.length > 1 || (found[0] !== undefined && found[0].name.length > 1))
    throw unreadable(`${file}:${lineAt(text, found[0]!.from)}`, `${key} is set more than once`);
  if (found[0] !== undefined) return splice(text, found[0].valueFrom, found[0].to, quote(value));
  const eol = eolOf(text);
  const last = top.at(-1);
  if (last !== undefined) {
    const end = lineEnd(text, last.to);
    return splice(text, end, end, `${eol}${key} = ${quote(value)}`);
  }
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const gap = text.length === start ? '' : eol;
  return splice(text, start, start, `${key} = ${quote(value)}${eol}${gap}`);
}

function setTable(
  text: string,
  { table, values }: Extract<TomlEdit, { table: string }>,
  statements: readonly TomlStatement[],
  file: string,
): string {
  const name = table.split('.');
  const eol = eolOf(text);
  const lines = [`[${table}]`, ...Object.entries(values).map(([key, value]) => `${key} = ${quote(value)}`)].join(eol);
  const isTable = ({ kind, name: own }: TomlStatement) => kind === 'table' && own.join('\0') === name.join('\0');
  // A table that is written as a value cannot be written as a table as well.
  const asValue = statements.find(
    (statement, at) =>
      statement.kind === 'key' &&
      !statements.slice(0, at).some(({ kind }) => kind === 'table') &&
      statement.name[0] === name[0],
  );
  if (asValue !== undefined)
    throw unreadable(
      `${file}:${lineAt(text, asValue.from)}`,
      `${name[0]} is written as a value; write it as a table, [${name[0]}.…]`,
    );
  const at = statements.findIndex(isTable);
  if (at !== -1) {
    const next = statements.findIndex(({ kind }, place) => place > at && kind === 'table');
    const last = statements[(next === -1 ? statements.length : next) - 1]!;
    return splice(text, statements[at]!.from, last.to, lines);
  }
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  return `${text}${gap}${lines}${eol}`;
}

/** A text as TOML writes it. */
function quote(value: string): string {
  return JSON.stringify(value);
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  if (end === -1) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function splice(text: string, from: number, to: number, put: string): string {
  return text.slice(0, from) + put + text.slice(to);
}
