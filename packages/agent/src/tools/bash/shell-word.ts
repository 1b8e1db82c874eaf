import { childrenOf, namedChildrenOf, type ShellNode } from './bash-grammar.ts';

/** A stretch of a word: written bare, written in quotes (or escaped), or only known when the shell runs. */
export interface WordPiece {
  kind: 'bare' | 'quoted' | 'dynamic';
  text: string;
}

/** One word of a command: a name, an argument, a file to redirect to. */
export interface ShellWord {
  pieces: readonly WordPiece[];
}

const SAFE_IN_QUOTES = /^[\w@%+=:,./^-]*$/;
/** These are numbers whatever happens, so they are no risk in a path. */
const NUMERIC_EXPANSION = /^\$[$!?#]$/;

/** A node of the tree to the word it stands for, as the grammar sees it, without the quotes. */
export function readWord(node: ShellNode): ShellWord {
  return { pieces: piecesOf(node) };
}

/** A word that is what it looks like. */
export function plainWord(text: string): ShellWord {
  return { pieces: [{ kind: 'quoted', text }] };
}

/** What the program is handed, where that is known before: nothing is expanded, though file patterns may stand in it. */
export function literalOf({ pieces }: ShellWord): string | undefined {
  return pieces.some(({ kind }) => kind === 'dynamic') ? undefined : pieces.map(({ text }) => text).join('');
}

/** Whether the shell makes other words of it: file patterns and braces outside quotes. */
export function isPattern({ pieces }: ShellWord): boolean {
  return pieces.some(({ kind, text }) => kind === 'bare' && /[*?[\]{}]|[@!+]\(/.test(text));
}

/** Whether it holds a number that only the shell knows, such as `$$`. */
export function hasNumber({ pieces }: ShellWord): boolean {
  return pieces.some(({ kind, text }) => kind === 'bare' && NUMERIC_EXPANSION.test(text));
}

/** The word as people would write it: quotes only where it means something else without. */
export function formatWord({ pieces }: ShellWord): string {
  if (pieces.every(({ text }) => text === '')) return "''";
  if (!pieces.some(({ kind }) => kind === 'dynamic') && !isPattern({ pieces })) {
    const text = pieces.map((piece) => piece.text).join('');
    return pieces.every(isPlain) ? text : quote(text);
  }
  return pieces.map((piece) => (isPlain(piece) ? piece.text : quote(piece.text))).join('');
}

/**
 * The path a word names, with `~` and `$HOME` filled in. Undefined where it is only known at run time.
 */
export function pathOf(word: ShellWord, home: string): string | undefined {
  const [first, ...rest] = word.pieces;
  if (first === undefined) return undefined;
  if (first.kind === 'dynamic') {
    const isHome = /^"?\$(HOME|\{HOME\})"?$/.test(first.text);
    const after = literalOf({ pieces: rest });
    return isHome && after !== undefined && /^(\/|$)/.test(after) ? home + after : undefined;
  }
  const literal = literalOf(word);
  return literal !== undefined && first.kind === 'bare' ? expandTilde(literal, home) : literal;
}

/** `~` is the home folder, `~name` the one beside it; `~+`, `~-` and `~1` are only known at run time. */
export function expandTilde(text: string, home: string): string | undefined {
  if (!text.startsWith('~')) return text;
  const [, user = '', rest = ''] = /^~([^/]*)(.*)$/s.exec(text) ?? [];
  if (user === '') return home + rest;
  return /^[+-]|^\d+$/.test(user) ? undefined : `${home.replace(/\/[^/]*\/?$/, '')}/${user}${rest}`;
}

function isPlain({ kind, text }: WordPiece): boolean {
  return kind !== 'quoted' || SAFE_IN_QUOTES.test(text);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function piecesOf(node: ShellNode): WordPiece[] {
  switch (node.type) {
    case 'command_name':
    case 'concatenation':
      return childrenOf(node).flatMap(piecesOf);
    case 'word':
    case 'number':
    case 'extglob_pattern':
    case 'regex':
    case 'brace_expression':
    case 'variable_name':
    case 'special_variable_name':
    case 'test_operator':
      return unescaped(node.text);
    case 'raw_string':
      return [{ kind: 'quoted', text: node.text.slice(1, -1) }];
    case 'ansi_c_string':
      return node.text.includes('\\')
        ? [{ kind: 'dynamic', text: node.text }]
        : [{ kind: 'quoted', text: node.text.slice(2, -1) }];
    case 'string':
      return inDoubleQuotes(node);
    case 'simple_expansion':
      return [{ kind: NUMERIC_EXPANSION.test(node.text) ? 'bare' : 'dynamic', text: node.text }];
    case 'expansion':
    case 'command_substitution':
    case 'process_substitution':
    case 'arithmetic_expansion':
    case 'translated_string':
    case 'variable_assignment':
    case 'array':
    case 'subscript':
      return [{ kind: 'dynamic', text: node.text.trim() }];
    default:
      return !node.isNamed && node.childCount === 0 ? unescaped(node.text) : [{ kind: 'dynamic', text: node.text }];
  }
}

function unescaped(text: string): WordPiece[] {
  const pieces: WordPiece[] = [];
  for (const [part] of text.matchAll(/\\\n|\\[\s\S]|[^\\]+|\\$/g)) {
    if (part === '\\\n') continue;
    if (part.startsWith('\\') && part.length > 1) pieces.push({ kind: 'quoted', text: part.slice(1) });
    else pieces.push({ kind: 'bare', text: part });
  }
  return pieces;
}

/** The grammar leaves blanks inside a string to nobody, so the text between its expansions is taken from the source. */
function inDoubleQuotes(node: ShellNode): WordPiece[] {
  const source = node.text;
  const pieces: WordPiece[] = [];
  const takeText = (from: number, to: number) => {
    const text = source
      .slice(from, to)
      .replace(/\\\n/g, '')
      .replace(/\\([$`"\\])/g, '$1');
    if (text !== '') pieces.push({ kind: 'quoted', text });
  };
  let taken = 1;
  for (const child of namedChildrenOf(node)) {
    if (child.type === 'string_content') continue;
    const from = child.startIndex - node.startIndex;
    const text = child.text.trim();
    takeText(taken, from);
    if (child.type === 'simple_expansion' && NUMERIC_EXPANSION.test(text)) pieces.push({ kind: 'bare', text });
    else pieces.push({ kind: 'dynamic', text: `"${text}"` });
    taken = child.endIndex - node.startIndex;
  }
  takeText(taken, source.length - 1);
  return pieces.length === 0 ? [{ kind: 'quoted', text: '' }] : pieces;
}
