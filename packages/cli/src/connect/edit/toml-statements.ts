/** A piece of a TOML file: a table's head, or a key with its value. */
export interface TomlStatement {
  kind: 'table' | 'key';
  /** The parts of its name. */
  name: string[];
  from: number;
  /** Where its value begins; its end for a table. */
  valueFrom: number;
  to: number;
}

/** Reads a TOML file into its statements; the place of the first thing that is none where it is not TOML. */
export function tomlStatements(text: string): TomlStatement[] | { problemAt: number } {
  const statements: TomlStatement[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  for (;;) {
    at = skip(text, at, /(?:[ \t\r\n]|#[^\n]*)*/y);
    if (at >= text.length) return statements;
    const statement = text[at] === '[' ? readTable(text, at) : readKey(text, at);
    if (statement === undefined) return { problemAt: at };
    const end = skip(text, statement.to, /[ \t]*(?:#[^\n]*)?/y);
    if (end < text.length && !/^\r?\n/.test(text.slice(end, end + 2)) && text[end - 1] !== '\r')
      return { problemAt: end };
    statements.push(statement);
    at = end;
  }
}

const NAME = /[ \t]*(?:([A-Za-z0-9_-]+)|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)')[ \t]*/y;

function readTable(text: string, from: number): TomlStatement | undefined {
  const isList = text.startsWith('[[', from);
  const read = readName(text, from + (isList ? 2 : 1));
  const close = isList ? ']]' : ']';
  if (read === undefined || !text.startsWith(close, read.to)) return undefined;
  const to = read.to + close.length;
  return { kind: 'table', name: read.name, from, valueFrom: to, to };
}

function readKey(text: string, from: number): TomlStatement | undefined {
  const read = readName(text, from);
  if (read === undefined || text[read.to] !== '=') return undefined;
  const valueFrom = skip(text, read.to + 1, /[ \t]*/y);
  const to = readValue(text, valueFrom, 0);
  return to === undefined ? undefined : { kind: 'key', name: read.name, from, valueFrom, to };
}

function readName(text: string, from: number): { name: string[]; to: number } | undefined {
  const name: string[] = [];
  for (let at = from; ; at++) {
    NAME.lastIndex = at;
    const part = NAME.exec(text);
    if (part === null) return undefined;
    name.push(part[1] ?? part[2] ?? part[3] ?? '');
    at = NAME.lastIndex;
    if (text[at] !== '.') return { name, to: at };
  }
}

const STRINGS = [/"""(?:[^\\]|\\[^])*?"{3,5}/y, /'''[^]*?'{3,5}/y, /"(?:[^"\\\n]|\\.)*"/y, /'[^'\n]*'/y];
const PLAIN = /[^\s,[\]{}#"'=][^,[\]{}#"'=\r\n]*?(?=[ \t]*(?:[,\]}#\r\n]|$))/y;
/** Deeper values than this are nobody's settings. */
const DEEPEST = 50;

/** Where a value ends, or nothing where there is none. */
function readValue(text: string, from: number, depth: number): number | undefined {
  if (text[from] === '[' || text[from] === '{') return depth < DEEPEST ? readGroup(text, from, depth) : undefined;
  for (const pattern of [...STRINGS, PLAIN]) {
    pattern.lastIndex = from;
    if (pattern.exec(text) !== null) return pattern.lastIndex;
  }
  return undefined;
}

function readGroup(text: string, from: number, depth: number): number | undefined {
  const [isList, space] = [text[from] === '[', /(?:[ \t\r\n]|#[^\n]*)*/y];
  const close = isList ? ']' : '}';
  for (let at = skip(text, from + 1, space); ;) {
    if (text[at] === close) return at + 1;
    const entry = isList ? at : readKeyOfGroup(text, at);
    const end = entry === undefined ? undefined : readValue(text, entry, depth + 1);
    if (end === undefined) return undefined;
    at = skip(text, end, space);
    if (text[at] === ',') at = skip(text, at + 1, space);
    else if (text[at] !== close) return undefined;
  }
}

function readKeyOfGroup(text: string, from: number): number | undefined {
  const read = readName(text, from);
  return read === undefined || text[read.to] !== '=' ? undefined : skip(text, read.to + 1, /[ \t]*/y);
}

function skip(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  pattern.exec(text);
  return pattern.lastIndex;
}
