/** One statement at the left margin of a file. */
export interface Statement {
  /** What it declares; nothing where it is an expression that runs when the file is loaded. */
  names: readonly string[];
  /** The identifiers it mentions, without those behind a dot. */
  words: ReadonlySet<string>;
  /** The names behind a dot. */
  members: ReadonlySet<string>;
  /** Those of them that are called. */
  calls: ReadonlySet<string>;
  /** The texts it holds that may name another file. */
  paths: readonly string[];
  /** The titles of the tests in it. */
  titles: readonly string[];
  /** The first lines of the groups of tests it stands in. */
  groups: readonly string[];
}

/** A name of another file; `*` is all of them. */
export interface Binding {
  from: string;
  name: string;
}

/** What a file takes, gives and does. Types are left out: nothing runs because of them. */
export interface SourceModule {
  imports: ReadonlyMap<string, Binding>;
  /** Each name it exports: a name of its own, or of another file. */
  exports: ReadonlyMap<string, string | Binding>;
  /** Files of which it exports everything. */
  stars: readonly string[];
  /** Files that are loaded with it. */
  loads: readonly string[];
  statements: readonly Statement[];
  /** The statements by what they declare: several where a function has overloads. */
  declared: ReadonlyMap<string, readonly Statement[]>;
}

const STRING = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;
const TEMPLATE = /`(?:\\[^]|[^`\\])*`/;
const REGEXP = /(?<=(?:[=(,:;!&|?{}[\n]|return|=>)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/;
const COMMENT = /\/\*[^]*?\*\/|\/\/[^\n]*/;
const TOKEN = new RegExp([STRING, TEMPLATE, REGEXP, COMMENT].map(({ source }) => source).join('|'), 'g');
const TITLE = /\b(?:test|it|describe|bench|limit)(?:\.\w+)*(?:\([^()]*\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
const DECLARED =
  /^(?:export )?(?:default )?(?:async )?(?:abstract )?(?:function\*?|class|const enum|enum|const|let|var) ([\w$]+|[{[][^=]*)/;
const TYPE = /^(?:export )?(?:declare |interface |type |namespace )/;
const FROM = /^(import|export) (?!type )([^'"]*?)\s*(?:from )?['"]([^'"]+)['"]/;

/**
 * Reads a file without a parser: the house style puts each statement of a file at the left margin, and an identifier
 * counts as used wherever it stands. What it takes for used may be unused; the other way round it does not happen.
 */
export function readModule(source: string): SourceModule {
  const imports = new Map<string, Binding>();
  const exports = new Map<string, string | Binding>();
  const [stars, loads]: [string[], string[]] = [[], []];
  const statements: Statement[] = [];

  for (const { text, groups } of statementsOf(source)) {
    const [, verb, clause = '', from = ''] = FROM.exec(text) ?? [];
    if (/^(?:import|export) type /.test(text) || TYPE.test(text)) continue;
    else if (verb === 'import') {
      const bindings = importsOf(clause);
      // With nothing but types in its braces it is left out when the program runs.
      if (bindings.length === 0 && clause.includes('{')) continue;
      loads.push(from);
      for (const [name, local] of bindings) imports.set(local, { from, name });
    } else if (verb === 'export' && /^[{*]/.test(clause)) {
      loads.push(from);
      if (clause === '*') stars.push(from);
      else if (clause.startsWith('*')) exports.set(clause.replace('* as ', ''), { from, name: '*' });
      for (const [name, exported] of listOf(clause)) exports.set(exported, { from, name });
    } else if (text.startsWith('export {')) {
      for (const [local, exported] of listOf(text)) exports.set(exported, local);
    } else {
      const statement = readStatement({ text, groups });
      statements.push(statement);
      if (text.startsWith('export default ')) exports.set('default', statement.names[0] ?? 'default');
      else if (text.startsWith('export ')) for (const name of statement.names) exports.set(name, name);
    }
  }
  const declared = new Map<string, Statement[]>();
  for (const statement of statements)
    for (const name of statement.names) declared.set(name, [...(declared.get(name) ?? []), statement]);
  return { imports, exports, stars, loads, statements, declared };
}

/** The words of the titles of a test. */
export function titleWords(titles: readonly string[]): Set<string> {
  return new Set(titles.flatMap((title) => title.split(/[^\w-]+/)));
}

type StatementText = Pick<Statement, 'groups'> & { text: string };

function statementsOf(source: string): StatementText[] {
  const plain = source.replace(TOKEN, (token) => {
    if (token.startsWith('//') || token.startsWith('/*')) return '';
    return token.startsWith('`') ? token.replaceAll('\n', '\n ') : token;
  });
  return split(plain, []);
}

/** What stands in a group of tests is taken out of it. */
function split(source: string, groups: readonly string[]): StatementText[] {
  return source.split(/\n(?=[\w$({['"`!+-])/).flatMap((text) => {
    const [, group, body] = /^(describe\b[^]*?=> \{\n)([^]*)\n\}\);\s*$/.exec(text) ?? [];
    if (group === undefined) return [{ text: text.trim(), groups }];
    return split(body!.replaceAll(/^ {2}/gm, ''), [...groups, group]);
  });
}

function readStatement({ text, groups }: StatementText): Statement {
  const declared = DECLARED.exec(text)?.[1];
  const isDefault = text.startsWith('export default ') && declared === undefined;
  const strings = [...text.matchAll(STRING)].map(([string]) => string.slice(1, -1));
  const heads = [...text.matchAll(/`([\w@./-]+)/g)].map((match) => match[1]!);
  const code = text.replace(STRING, "''");
  const titles = titlesIn(text);
  return {
    names: isDefault ? ['default'] : (declared?.match(/[\w$]+/g) ?? []),
    words: new Set(code.match(/(?<!(?<!\.\.)\.\s*|[\w$#])[A-Za-z_$][\w$]*/g)),
    members: new Set(code.match(/(?<=(?<!\.\.)\.\s*)[A-Za-z_$][\w$]*/g)),
    calls: new Set(code.match(/(?<=(?<!\.\.)\.\s*)[A-Za-z_$][\w$]*(?=\()/g)),
    paths: [...strings, ...heads].filter((path) => /^(?:\.{1,2}\/|[@#]\w)|\.(?:tsx?|js)$|-worker$/.test(path)),
    titles: titles.length === 0 ? [] : [...groups.flatMap(titlesIn), ...titles],
    groups,
  };
}

function titlesIn(text: string): string[] {
  return [...text.matchAll(TITLE)].map((match) => match[2]!);
}

/** Pairs of the name there and the name here. */
function importsOf(clause: string): [string, string][] {
  const all = /\* as ([\w$]+)/.exec(clause)?.[1];
  const main = /^[\w$]+/.exec(clause)?.[0];
  return [
    ...(all === undefined ? [] : [['*', all] as [string, string]]),
    ...(main === undefined ? [] : [['default', main] as [string, string]]),
    ...listOf(clause),
  ];
}

function listOf(clause: string): [string, string][] {
  const list = /\{([^}]*)\}/.exec(clause)?.[1] ?? '';
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '' && !item.startsWith('type '))
    .map((item) => item.split(' as ') as [string, string?])
    .map(([name, other = name]) => [name, other]);
}
