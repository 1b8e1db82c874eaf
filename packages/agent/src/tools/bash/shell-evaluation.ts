import { isNumber, readArithmetic } from './arithmetic-text.ts';
import { childrenOf, namedChildrenOf, type ShellNode } from './bash-grammar.ts';
import type { ShellVisitor } from './shell-visitor.ts';
import { literalOf, type ShellWord } from './shell-word.ts';

/** Builtins that take a name such as `a[…]` and work out what stands between the brackets. */
const EVALUATING = new Set(['let', 'unset', 'read', 'test', '[', 'wait', 'mapfile', 'readarray', '-v']);
/** Builtins that put what they are fed into the variables they name. */
const FILLING = new Set(['read', 'mapfile', 'readarray', 'getopts', 'printf', 'wait']);
/** Builtins that make variables. */
const DECLARING = new Set(['declare', 'typeset', 'local', 'export', 'readonly']);
/** Variables of the shell that are numbers: it works out whatever they are set to. */
const NUMBERS = ['OPTIND', 'RANDOM', 'SRANDOM', 'SECONDS', 'LINENO', 'HISTCMD', 'BASHPID', 'BASH_SUBSHELL'];
/** Variables that the shell fills with what it comes across. */
const FILLED = ['_', 'REPLY', 'MAPFILE', 'OPTARG', 'BASH_REMATCH', 'BASH_COMMAND', 'BASH_EXECUTION_STRING'];
const COMPARES_NUMBERS = /^-(?:eq|ne|lt|le|gt|ge)$/;

/**
 * What happens to variables where a shell text shows no plain `NAME=value`, and what runs because of it.
 *
 * Where the shell works something out as a number, an index, a name or a prompt, it sets variables (`((PATH=5))`) and runs
 * substitutions that it finds in text which was only quoted (`[[ 'a[$(rm x)]' -eq 0 ]]`), or in what a variable holds:
 * the text of a file, a file's name, the message of a commit. Such a text is called unreadable.
 */
export class ShellEvaluation {
  readonly #visitor: ShellVisitor;
  /** Variables that are worked out as numbers, and those that may hold something else. */
  readonly #evaluated = new Set(NUMBERS);
  readonly #texts = new Set(FILLED);
  #substitutions = 0;
  #evaluates = false;

  constructor(visitor: ShellVisitor) {
    this.#visitor = visitor;
  }

  /** A variable is given a value, as it is written. */
  keeps(name: string, value: string): void {
    if (!isNumber(value)) this.#texts.add(name);
  }

  /** A substitution was told. In a here-document the grammar takes `$((…))` for one. */
  substitution(text: string): void {
    if (text.startsWith('$((')) this.number(text.slice('$(('.length, -'))'.length));
    else this.#substitutions++;
  }

  /** What stands inside a word. */
  part(node: ShellNode): void {
    if (node.type === 'arithmetic_expansion') this.number(node.text.replace(/^\$?[([]+|[)\]]+$/g, ''));
    else if (node.type === 'expansion') this.#expansion(node.text);
    else if (node.type === 'subscript') this.number(node.text.replace(/^\w+\[|\]$/g, ''));
    else if (node.type === 'array')
      for (const { text } of namedChildrenOf(node)) this.number(/^\[([\s\S]*?)\]\+?=/.exec(text)?.[1] ?? '');
  }

  /** A text that is worked out as a number. */
  number(text: string): void {
    this.#evaluates = true;
    const { names, isAssigning, isReadable } = readArithmetic(text);
    if (!isReadable) this.#visitor.unreadable('a number that only the shell can work out');
    for (const name of names) {
      this.#evaluated.add(name);
      if (isAssigning) this.#sets(name, `$((${text}))`);
    }
  }

  /** `${…}`, with all that stands in it. */
  #expansion(text: string): void {
    if (/[@!]/.test(text)) this.#evaluates = true;
    if (/@P\s*\}/.test(text)) this.#visitor.unreadable('a value that is expanded like a prompt');
    // Of `${!x}` the value is a name, index and all; `${!x*}` and `${!x[@]}` are lists of names.
    if (/\$\{!(?!\w+(?:\*|@|\[[@*]\])\})/.test(text)) this.#visitor.unreadable('a variable that is named by another');
    for (const [, name, sign] of text.matchAll(/\$\{(\w+)(:?=|\[)/g)) {
      if (sign === '[' && !/\]:?=/.test(text)) continue;
      this.#texts.add(name!);
      this.#sets(name!, text);
    }
    for (const [, range] of text.matchAll(/(?:\$\{(?:\w+|[@*])|\]):(?![-=?+])([^}]*)/g))
      for (const part of range!.split(':')) this.number(part);
  }

  /** `for ((…; …; …))`. */
  loop(node: ShellNode): void {
    const body = node.childForFieldName('body');
    const head = body === null ? node.text : node.text.slice(0, body.startIndex - node.startIndex);
    for (const part of /\(\(([\s\S]*)\)\)/.exec(head)?.[1]?.split(';') ?? ['$']) this.number(part);
  }

  /** `(( … ))`, or a test: `[[` works out what stands beside `-eq` and its like, `[` too the index of a name behind `-v`. */
  test(node: ShellNode): void {
    this.#evaluates = true;
    if (node.text.startsWith('((')) return this.number(node.text.slice(2, -2));
    for (const operator of operatorsOf(node)) {
      const [around, at] = [operator.parent!, operator.startIndex - operator.parent!.startIndex];
      const [left, right] = [around.text.slice(0, at), around.text.slice(at + operator.text.length)];
      if (/^-[vR]$/.test(operator.text)) this.number(right.trim().replace(/^["']?\w+/, ''));
      else if (node.text.startsWith('[[') && COMPARES_NUMBERS.test(operator.text)) {
        this.number(left.replace(/^!/, ''));
        this.number(right);
      }
    }
  }

  /** What a builtin does to variables that only its words say. */
  builtin(node: ShellNode, words: readonly ShellWord[]): void {
    for (const child of namedChildrenOf(node))
      if (child.type === 'variable_assignment')
        this.keeps(child.childForFieldName('name')?.text ?? '', child.childForFieldName('value')?.text ?? '');
    const texts = words.map((word) => literalOf(word) ?? '$');
    const isDeclaring = texts.some((text) => DECLARING.has(text));
    if (node.type !== 'command' || texts.some((text) => EVALUATING.has(text))) this.#evaluates = true;
    if (texts.includes('let')) for (const child of namedChildrenOf(node).slice(1)) this.number(child.text);
    // With these every value is worked out, or is the name of another variable.
    if (isDeclaring && texts.some((text) => /^[-+][a-zA-Z]*[in]/.test(text)))
      this.#visitor.unreadable('a variable of another kind');
    if (texts.some((text) => FILLING.has(text)))
      for (const text of texts) if (/^[A-Za-z_]\w*$/.test(text)) this.#texts.add(text);
  }

  /** When all was told. */
  check(text: string): void {
    // `{name}> file` sets the variable; the grammar takes it for a word.
    for (const [, name, sign] of text.matchAll(/\{([A-Za-z_]\w*)(\}[<>]|\[)/g))
      if (sign !== '[' || /\]\}[<>]/.test(text)) this.#sets(name!, `{${name}}>`);
    const written = (text.match(/\$\((?!\()/g)?.length ?? 0) + (text.match(/`/g)?.length ?? 0) / 2;
    if (this.#evaluates && written > this.#substitutions)
      this.#visitor.unreadable('a quoted substitution beside an evaluation');
    if ([...this.#evaluated].some((name) => this.#texts.has(name)))
      this.#visitor.unreadable('a text that is worked out as a number');
  }

  #sets(name: string, text: string): void {
    this.#visitor.assignment({ name, value: { pieces: [{ kind: 'dynamic', text }] } });
  }
}

function operatorsOf(node: ShellNode): ShellNode[] {
  return childrenOf(node).flatMap((child) => (child.type === 'test_operator' ? [child] : operatorsOf(child)));
}
