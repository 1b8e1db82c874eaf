import { isNumber, readArithmetic } from './arithmetic-text.ts';
import { namedChildrenOf, type ShellNode } from './bash-grammar.ts';
import type { ShellVisitor } from './shell-visitor.ts';
import { literalOf, type ShellWord } from './shell-word.ts';

/** Builtins that put what they are fed into the variables they name. */
const FILLING = new Set(['read', 'mapfile', 'readarray', 'getopts', 'printf', 'wait']);
/** Builtins that make variables. */
const DECLARING = new Set(['declare', 'typeset', 'local', 'export', 'readonly']);
const SUBSTITUTION = /^(?:\$\((?!\()|`)/;
const DECLARED = /^(\w+)(?:\[.*\])?\+?=(.*)$/s;
/** Variables of the shell that are numbers: it works out whatever they are set to. */
const NUMBERS = ['OPTIND', 'RANDOM', 'SRANDOM', 'SECONDS', 'LINENO', 'HISTCMD', 'BASHPID', 'BASH_SUBSHELL'];
/** Variables whose value the shell runs, or by which it reads the rest of a text otherwise. */
const RUN = /^(?:PS\d|PROMPT_COMMAND|ENV|BASH_\w+|BASHOPTS|SHELLOPTS|POSIXLY_CORRECT)$/;
/** Variables that the shell fills with what it comes across. */
const FILLED = ['_', 'REPLY', 'MAPFILE', 'OPTARG', 'BASH_REMATCH', 'BASH_COMMAND', 'BASH_EXECUTION_STRING'];

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
    if (RUN.test(name)) this.#visitor.unreadable('a variable that the shell goes by');
    if (!isNumber(value)) this.#texts.add(name);
  }

  /** A substitution was told, as it is written. */
  substitution(text: string): void {
    if (SUBSTITUTION.test(text)) this.#substitutions++;
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

  /** What a builtin does to variables that only its words say. */
  builtin(node: ShellNode, words: readonly ShellWord[]): void {
    for (const child of namedChildrenOf(node))
      if (child.type === 'variable_assignment')
        this.keeps(child.childForFieldName('name')?.text ?? '', child.childForFieldName('value')?.text ?? '');
    const texts = words.map((word) => literalOf(word) ?? '$');
    const isDeclaring = texts.some((text) => DECLARING.has(text));
    if (texts.includes('let')) for (const child of namedChildrenOf(node).slice(1)) this.number(child.text);
    // With these every value is worked out, or is the name of another variable.
    if (isDeclaring && texts.some((text) => /^[-+][a-zA-Z]*[in]/.test(text)))
      this.#visitor.unreadable('a variable of another kind');
    if (texts.some((text) => FILLING.has(text)))
      for (const text of texts) if (/^[A-Za-z_]\w*$/.test(text)) this.keeps(text, '$');
    for (const [, name, value] of isDeclaring ? texts.map((text) => DECLARED.exec(text) ?? []) : [])
      if (name !== undefined) this.keeps(name, value!);
  }

  /** When all was told. */
  check(text: string): void {
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
