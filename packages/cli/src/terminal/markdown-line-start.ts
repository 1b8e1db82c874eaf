/** What a line stands in: a quote, or an item of a list. */
export type Container = { kind: 'quote' } | Item;

export interface Item {
  kind: 'item';
  /** Where its mark stands, counted from the quote it is in. */
  column: number;
  mark: { type: 'bullet'; sign: string } | { type: 'number'; value: number; delimiter: string };
  /** Of a task: whether it is done. */
  isDone?: boolean;
}

/** How a line begins: what it stands in, what it is, and where its content starts. */
export interface LineStart {
  containers: readonly Container[];
  /** How many of them the lines before stood in already. */
  known: number;
  leaf: 'blank' | 'text' | 'heading' | 'fence' | 'rule' | 'table' | 'code';
  at: number;
  /** Of a heading. */
  level: number;
  /** The column of the content, counted from the quote it is in. */
  column: number;
}

export interface LineContext {
  containers: readonly Container[];
  /** The line before is text that may go on. */
  isParagraphOpen: boolean;
}

/** Indented this much, a line without a paragraph before it is code. */
const CODE_INDENT = 4;
/** An item's content and the lists inside it are at least this far to the right of its mark. Stricter rules miss what models write. */
const NESTED = 2;

/**
 * Reads how a line of Markdown begins. `undefined`: more of the line could still change it.
 *
 * Of plain text the first character is enough; a table's row and a fence are needed whole.
 */
export function readLineStart(line: string, isWhole: boolean, context: LineContext): LineStart | undefined {
  const reader = new Reader(line, isWhole, context);
  return reader.read();
}

class Reader {
  readonly #line: string;
  readonly #isWhole: boolean;
  readonly #context: LineContext;
  readonly #containers: Container[] = [];
  /** How many containers of the lines before go on here. */
  #known = 0;
  /** None of the lines before can go on after a new one began. */
  #hasNew = false;
  #at = 0;
  #column = 0;

  constructor(line: string, isWhole: boolean, context: LineContext) {
    this.#line = line;
    this.#isWhole = isWhole;
    this.#context = context;
  }

  read(): LineStart | undefined {
    for (;;) {
      this.#skipBlanks();
      const rest = this.#line.slice(this.#at);
      if (rest === '') return this.#isWhole ? this.#blank() : undefined;
      if (rest === '>' && !this.#isWhole) return undefined;
      if (rest.startsWith('>')) this.#enterQuote(rest);
      else {
        const item = this.#readItem(rest);
        if (item === 'later') return undefined;
        if (item === undefined) return this.#readLeaf(rest);
      }
    }
  }

  #skipBlanks(): void {
    for (; ; this.#at++) {
      const char = this.#line[this.#at];
      if (char === '\t') this.#column += 4 - (this.#column % 4);
      else if (char === ' ') this.#column++;
      else return;
    }
  }

  #enterQuote(rest: string): void {
    this.#enterItems();
    if (!this.#hasNew && this.#context.containers[this.#known]?.kind === 'quote') this.#known++;
    else this.#hasNew = true;
    this.#containers.push({ kind: 'quote' });
    this.#at += rest[1] === ' ' ? 2 : 1;
    this.#column = 0;
  }

  /** Goes into the items that reach this far to the right. */
  #enterItems(): void {
    while (!this.#hasNew) {
      const next = this.#context.containers[this.#known];
      if (next?.kind !== 'item' || this.#column < next.column + NESTED) return;
      this.#containers.push(next);
      this.#known++;
    }
  }

  #readItem(rest: string): 'entered' | 'later' | undefined {
    if (!this.#isWhole && (/^([-*_])[ \t]*(?:\1[ \t]*)*$/.test(rest) || /^(?:\+|\d{1,9}[.)]?)[ \t]*$/.test(rest)))
      return 'later';
    if (isRule(rest)) return undefined;
    const found = /^(?:([-*+])|(\d{1,9})([.)]))(?:[ \t]+(?=[^ \t])|[ \t]*$)/.exec(rest);
    if (found === null || this.#isIndentedCode()) return undefined;
    const [whole, sign, number, delimiter] = found;
    if (sign === undefined && Number(number) !== 1 && this.#context.isParagraphOpen && !this.#isInList())
      return undefined;
    const after = rest.slice(whole.length);
    if (!this.#isWhole && sign !== undefined && /^\[(?:[ xX](?:\][ \t]?)?)?$/.test(after)) return 'later';
    this.#enterItems();
    const task = sign === undefined ? undefined : /^\[([ xX])\][ \t]+/.exec(after);
    this.#containers.push({
      kind: 'item',
      column: this.#column,
      mark:
        sign === undefined
          ? { type: 'number', value: this.#numberAfter(Number(number), delimiter!), delimiter: delimiter! }
          : { type: 'bullet', sign },
      ...(task && { isDone: task[1] !== ' ' }),
    });
    this.#hasNew = true;
    const length = whole.length + (task?.[0].length ?? 0);
    this.#at += length;
    this.#column += length;
    return 'entered';
  }

  /** Where every item is written as `1.`, they are counted. */
  #numberAfter(given: number, delimiter: string): number {
    const before = this.#hasNew ? undefined : this.#context.containers[this.#known];
    if (before?.kind !== 'item' || before.mark.type !== 'number' || before.mark.delimiter !== delimiter) return given;
    return given > before.mark.value ? given : before.mark.value + 1;
  }

  #readLeaf(rest: string): LineStart | undefined {
    if (!this.#isWhole && /^(?:#{1,6}[ \t]*|`{1,2}|~{1,2})$/.test(rest)) return undefined;
    const heading = /^(#{1,6})(?:[ \t]+|$)/.exec(rest);
    if (heading !== null) {
      this.#at += heading[0].length;
      return this.#ended('heading', heading[1]!.length);
    }
    if (rest.startsWith('|')) return this.#isWhole ? this.#ended('table') : undefined;
    if (/^(?:`{3}|~{3})/.test(rest)) {
      if (!this.#isWhole) return undefined;
      if (!/^`+[^`]+`/.test(rest)) return this.#ended('fence');
    }
    if (isRule(rest) && this.#isWhole) return this.#ended('rule');
    if (this.#isIndentedCode()) return this.#ended('code');
    const isGoingOn = this.#context.isParagraphOpen && !this.#hasNew;
    if (!isGoingOn) return this.#ended('text');
    // Text goes on in what it began in, also where the marks in front are left out.
    const { containers } = this.#context;
    return this.#start('text', containers, containers.length);
  }

  #isIndentedCode(): boolean {
    const isInItem = this.#containers.at(-1)?.kind === 'item' || this.#isInList();
    return this.#column >= CODE_INDENT && !isInItem && !this.#context.isParagraphOpen;
  }

  /** The lines before stand in an item, as deep in quotes as this one. */
  #isInList(): boolean {
    return !this.#hasNew && this.#context.containers[this.#known]?.kind === 'item';
  }

  /** An empty line ends no item, but a quote that is not marked in it. */
  #blank(): LineStart {
    while (!this.#hasNew) {
      const next = this.#context.containers[this.#known];
      if (next?.kind !== 'item') break;
      this.#containers.push(next);
      this.#known++;
    }
    return this.#start('blank', this.#containers, this.#known);
  }

  #ended(leaf: LineStart['leaf'], level = 0): LineStart {
    this.#enterItems();
    return { ...this.#start(leaf, this.#containers, this.#known), level };
  }

  #start(leaf: LineStart['leaf'], containers: readonly Container[], known: number): LineStart {
    return { leaf, containers, known, at: this.#at, level: 0, column: this.#column };
  }
}

function isRule(text: string): boolean {
  return /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(text);
}
