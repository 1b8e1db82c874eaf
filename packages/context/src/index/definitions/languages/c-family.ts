import type { Definition } from '../definition.ts';
import { matchStatements } from '../match-statements.ts';
import type { Declaration, Statement, StatementLanguage } from '../statement.ts';
import { findObjectiveC } from './objective-c.ts';
import { type Source, scanSource } from '../scan-source.ts';

const HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|tcc|cuh)$/i;

/** C and C++, their headers included. */
export function findInCFamily(text: string, path: string): Definition[] {
  const source = scanSource(text, sourceFile.lexis);
  const others =
    /\.mm?$/.test(path) || text.includes('\n@interface') || text.includes('\n@protocol') ? findObjectiveC(source) : [];
  return [...findMacros(source), ...others, ...matchStatements(source, HEADER.test(path) ? header : sourceFile)];
}

const NO_FUNCTION = new Set(
  'if for while switch return sizeof catch do else case throw new delete static_assert defined alignas alignof decltype assert noexcept requires co_return co_await co_yield asm __asm__ __attribute__ __declspec'.split(
    ' ',
  ),
);

const TYPE = /(?:^|[\s>)])(class|struct|union|enum(?:\s+(?:class|struct))?)(?:\s+|$)([^;]*)$/;
const NOISE = /\[\[[^\]]*\]\]|\b(?:__attribute__|__declspec|alignas|_Alignas)\s*\((?:[^()]|\([^()]*\))*\)|\bfinal\b/g;
const LAST_NAME = /([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*$/;
const OPERATOR = /^operator\b(?:\s*[^\w\s(]{1,3}|\s*\[\s*\]|\s*""\s*\w+|\s+[\w:<>*&,\s]{1,80})?$/;
const COLON = 58;
const LESS = 60;
const GREATER = 62;
const TILDE = 126;
const HASH = 35;

const sourceFile: StatementLanguage = {
  lexis: {
    lineComments: ['//'],
    blockComments: ['/*'],
    double: 'line',
    single: 'character',
    rawPrefix: 'R(',
    preprocessor: true,
  },
  leads: { annotations: true, attributes: true, templates: true, labels: true, macros: true },
  trailers: new Set(
    'const noexcept override final volatile throw requires try mutable __attribute__ asm __asm__ PRINTF_FORMAT'.split(
      ' ',
    ),
  ),
  declare: (statement) => declare(statement, false),
  declareBehind(statement, rest) {
    const name = /^\s*(?:\*\s*)?([A-Za-z_]\w*)\s*(?:\[[^\]]*\])?\s*$/.exec(rest)?.[1];
    if (name === undefined) return undefined;
    return { name, kind: /^\s*typedef\b/.test(statement.head) ? 'type' : 'constant' };
  },
};

const header: StatementLanguage = { ...sourceFile, declare: (statement) => declare(statement, true) };

function declare(statement: Statement, isHeader: boolean): Declaration | undefined {
  const { parameters, hasBlock, hasValue, inside } = statement;
  const head = /\b(?:final|alignas|_Alignas|__\w+)\b|\[\[/.test(statement.head)
    ? statement.head.replace(NOISE, ' ').trim()
    : statement.head;
  if (hasBlock) {
    if (/^extern\s+"/.test(head)) return { name: '', opens: 'file', endsWithBlock: true };
    const namespace = /^(?:inline\s+)?namespace\b\s*([\w:]*)/.exec(head);
    if (namespace !== null) {
      const { name, container } = split(namespace[1]!);
      if (name === '') return { name: '', opens: 'file', endsWithBlock: true };
      return { name, ...(container && { container }), kind: 'module', opens: 'file', endsWithBlock: true };
    }
    const type = parameters === undefined || isTypeHead(head) ? typeOf(head) : undefined;
    if (type !== undefined) return type;
    if (parameters === undefined) return undefined;
    return functionOf(statement, head, true);
  }
  if (/^typedef\b/.test(head)) return typedefOf(statement, head);
  const alias = /^using\s+([A-Za-z_]\w*)$/.exec(head);
  if (alias !== null) return hasValue ? { name: alias[1]!, kind: 'type' } : undefined;
  if (
    parameters !== undefined &&
    !(hasValue && !/^\s*(?:const|noexcept|override|final|\s)*$/.test(statement.tail.split('=')[0] ?? ''))
  ) {
    if (inside === 'type' || isHeader) return functionOf(statement, head, false);
    return undefined;
  }
  if (hasValue && inside !== 'enum') {
    const name = LAST_NAME.exec(head)?.[1];
    if (
      name === undefined ||
      !/\b(?:const|constexpr|constinit|static)\b|^[A-Z]/.test(head) ||
      /^(?:using|return|goto)\b/.test(head)
    )
      return undefined;
    return /\s/.test(head) ? { name, kind: 'constant' } : undefined;
  }
  return undefined;
}

/** With brackets in what a type derives from. */
function isTypeHead(head: string): boolean {
  return /^(?:class|struct|union)\b[\s\S]*[^:]:(?!:)[^()]*$/.test(head);
}

function typeOf(head: string): Declaration | undefined {
  // What is derived from follows a single colon.
  const own = head
    .replace(/(?<!:):(?!:)[\s\S]*$/, '')
    .replace(/<[^<>]*(?:<[^<>]*>[^<>]*)*>?\s*$/, '')
    .trim();
  const match = TYPE.exec(own);
  if (match === null) return undefined;
  const words = match[2]!.trim().split(/\s+/);
  const { name, container } = split(words.at(-1) ?? '');
  if (name !== '' && !/^[A-Za-z_]\w*$/.test(name)) return undefined;
  const isEnum = match[1]!.startsWith('enum');
  return {
    name,
    ...(container && { container }),
    kind: isEnum ? 'enum' : 'class',
    ...(!isEnum && { opens: 'type' as const }),
  };
}

const IN_CAPITALS = /^[A-Z][A-Z0-9_]*$/;
const TEST_MACRO = /^(?:TYPED_)?TEST(?:_F|_P|_SUITE)?$|^BENCHMARK_(?:DEFINE_)?F$|_METHOD$/;
const PLAIN_TYPE = /^(?:void|int|char|bool|long|short|float|double|unsigned|signed|const|struct|\w+_t|[A-Z0-9_]+)$/;

function functionOf(
  { inside, container, parameters = '', tail }: Statement,
  head: string,
  hasBlock: boolean,
): Declaration | undefined {
  const named = nameBeforeParameters(head);
  if (named === undefined) return undefined;
  const { name, path, isBare } = named;
  if (NO_FUNCTION.has(name)) return undefined;
  if (isBare && inside !== 'type') {
    // A macro that defines what is named in its brackets: TEST(Suite, name) {…}, PHP_FUNCTION(name) {…}.
    if (!hasBlock) return undefined;
    if (IN_CAPITALS.test(name)) return namedByMacro(name, parameters);
  }
  // void NAME(x)(…): the macro makes the name.
  if (hasBlock && IN_CAPITALS.test(name) && tail.startsWith('(')) return namedByMacro(name, parameters);
  if (isBare && inside === 'type' && name.replace('~', '') !== container && !name.startsWith('operator'))
    return undefined;
  // Something(*name)(…) is a pointer, and `return f(…)` a call.
  if (!hasBlock && /^\s*\*/.test(parameters)) return undefined;
  if (/(?:^|\s)(?:return|else|goto|new|delete|case|throw|using)\s/.test(` ${head}`.slice(0, 40)) && !hasBlock)
    return undefined;
  const owner = path === '' ? undefined : split(path).name;
  const isMember = inside === 'type' || (owner !== undefined && owner !== '');
  return {
    name,
    ...(owner && { container: owner }),
    kind: isMember ? 'method' : 'function',
    endsWithBlock: true,
  };
}

function namedByMacro(macro: string, parameters: string): Declaration | undefined {
  const [first = '', second = ''] = parameters.split(',').map((parameter) => parameter.trim());
  const isName = (text: string) => /^[A-Za-z_]\w*$/.test(text);
  if (TEST_MACRO.test(macro) && isName(first) && isName(second))
    return { name: second, container: first, kind: 'function', endsWithBlock: true };
  const name = isName(first) && !(isName(second) && PLAIN_TYPE.test(first)) ? first : second;
  return isName(name) ? { name, kind: 'function', endsWithBlock: true } : undefined;
}

/** The name a head ends with, what it is qualified by, and whether nothing stands before it. */
function nameBeforeParameters(head: string): { name: string; path: string; isBare: boolean } | undefined {
  let start: number;
  let name: string;
  const operator = head.lastIndexOf('operator');
  if (operator !== -1 && OPERATOR.test(head.slice(operator))) {
    start = operator;
    name = head.slice(operator).replace(/\s+/g, ' ');
    if (name === 'operator') name = 'operator()';
  } else {
    const end = withoutArguments(head, head.length);
    start = wordStart(head, end);
    if (start === end || isDigit(head.charCodeAt(start))) return undefined;
    if (head.charCodeAt(start - 1) === TILDE) start--;
    name = head.slice(start, end);
  }
  let path = '';
  for (;;) {
    const before = blanksBefore(head, start);
    if (head.charCodeAt(before - 1) !== COLON || head.charCodeAt(before - 2) !== COLON) break;
    const end = withoutArguments(head, blanksBefore(head, before - 2));
    const first = wordStart(head, end);
    start = first;
    if (first === end) break;
    path = path === '' ? head.slice(first, end) : `${head.slice(first, end)}::${path}`;
  }
  return { name, path, isBare: path === '' && blanksBefore(head, start) === 0 };
}

/** Where the text up to `end` ends without template arguments at its end. */
function withoutArguments(text: string, end: number): number {
  if (text.charCodeAt(end - 1) !== GREATER) return end;
  let depth = 0;
  for (let at = end - 1; at >= 0; at--) {
    const code = text.charCodeAt(at);
    if (code === GREATER) depth++;
    else if (code === LESS && --depth === 0) return blanksBefore(text, at);
  }
  return end;
}

function blanksBefore(text: string, end: number): number {
  let at = end;
  while (at > 0 && text.charCodeAt(at - 1) <= 32) at--;
  return at;
}

function wordStart(text: string, end: number): number {
  let at = end;
  while (at > 0 && isWord(text.charCodeAt(at - 1))) at--;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || isDigit(code) || code === 95;
}

function typedefOf({ parameters, tail }: Statement, head: string): Declaration | undefined {
  const pointer = parameters === undefined ? undefined : /^\s*(?:\w+\s*)?\*\s*([A-Za-z_]\w*)\s*$/.exec(parameters)?.[1];
  const name = pointer ?? LAST_NAME.exec(tail.replace(NOISE, ' '))?.[1] ?? LAST_NAME.exec(head)?.[1];
  return name === undefined || name === 'typedef' ? undefined : { name, kind: 'type' };
}

function split(path: string): { name: string; container?: string } {
  const parts = path.split('::');
  const name = parts.pop() ?? '';
  const container = parts.pop();
  return container ? { name, container } : { name };
}

const DEFINE = /#[ \t]*define[ \t]+([A-Za-z_]\w*)(?:(\()|[ \t]+(?!\/[/*])(\S))?/y;

/** `#define NAME(…)` and `#define NAME value`; a name without a value is a switch. */
function findMacros({ text, lineCount, lineStart, lineText, lineQuiet }: Source): Definition[] {
  const macros: Definition[] = [];
  for (let line = 0; line < lineCount; line++) {
    const at = lineText[line]!;
    if (text.charCodeAt(at) !== HASH || lineQuiet[line] === 1) continue;
    DEFINE.lastIndex = at;
    const match = DEFINE.exec(text);
    if (match === null || (match[2] === undefined && match[3] === undefined)) continue;
    const first = line;
    while (line + 1 < lineCount && lineQuiet[line + 1] === 1 && endsWithBackslash(text, lineStart[line + 1]!)) line++;
    macros.push({ name: match[1]!, kind: match[2] ? 'macro' : 'constant', line: first + 1, endLine: line + 1 });
  }
  return macros;
}

function endsWithBackslash(text: string, nextLine: number): boolean {
  return (
    text.charCodeAt(nextLine - 2) === 92 ||
    (text.charCodeAt(nextLine - 2) === 13 && text.charCodeAt(nextLine - 3) === 92)
  );
}
