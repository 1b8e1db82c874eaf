import { isKnownTest } from './builtin-words.ts';
import { plainWord, type ShellWord, type WordPiece } from './shell-word.ts';

/** What a word is to the shell: it names a command, is handed to it, is a file of a redirect, or sets a variable. */
export type WordRole = 'name' | 'argument' | 'file' | 'assignment' | 'value';

/** A word, and where it stands in the text. */
export interface LexedWord {
  start: number;
  end: number;
  role: WordRole;
  word: ShellWord;
}

/** Every word of every command in a shell text, and what stands between them. */
export interface LexedShell {
  words: readonly LexedWord[];
  /** Operators, reserved words and comments; their text is what a grammar calls them, and `comment` for those. */
  marks: readonly { start: number; end: number; type: string }[];
  /** What the shell works out as a number. */
  numbers: readonly string[];
}

interface Heredoc {
  end: string;
  isQuoted: boolean;
  isIndented: boolean;
}

/** What a run of commands stands in, and ends with. */
type Closer = 'end' | ')' | '`' | ';;';

/** Whether a command begins here, its name is still to come, its words go on, or it ended with a word such as `fi`. */
type State = 'begins' | 'unnamed' | 'named' | 'closed';

class Unlexed extends Error {}

const DEEPEST = 50;
const REDIRECT = /(?:\d{1,2}(?=[<>]))?(?:<<<|<<-?|>>|>\||>&|<&|<|>)|&>>?/y;
const HEREDOC_END = /[ \t]*(?:([A-Za-z_]\w*)|'(\w+)'|"(\w+)")(?=[ \t\n;&|)]|$)/y;
const ASSIGNMENT = /[A-Za-z_]\w*(?:\[\d+\])?\+?=/y;
const PARAMETER = /[A-Za-z_]\w*|[\d@*#?$!-]/y;
/** `${…}` up to where a pattern or another value may follow, which is then made of these. */
const BRACED =
  /\{(?:#[A-Za-z_]\w*(?:\[[@*]\])?\}|![A-Za-z_]\w*\[[@*]\]\}|(?:[A-Za-z_]\w*(?:\[(?:\d+|[@*])\])?|[\d@*#?])(?:\}|:[ \d:-]+\}|:?[-?+]|%%?|##?|\/\/?|\^\^?\}|,,?\}))/y;
const IN_BRACES = /[\w .,/:+=%*?~^-]/;
const IN_NUMBER = /[\w \t+\-*/%<>=!&|^~?:,()]/;
const IN_LOOP = /[\w \t+\-*/%<>=!&|^~?:,();]/;
/** Signs that mean themselves outside quotes, or a pattern. */
const BARE = /[^\s'"`$\\;&|<>()]+/y;
const FUNCTION_NAME = /[A-Za-z_][\w-]*[ \t]*\([ \t]*\)/y;
/** Behind these a command begins, or behind the last ones none. */
const OPENING = new Set('if then elif else while until do { !'.split(' '));
const CLOSING = new Set('fi done }'.split(' '));
const UNKNOWN = new Set('select coproc ]] in esac case for function [['.split(' '));
/**
 * Reads a shell text as bash does, as long as it keeps to a part of the language in which no sign has two meanings. All
 * other texts give nothing: lines that are joined inside a word, quotes and escapes inside `${…}`, backticks with more than
 * plain words, marks of here-documents that are not plain, bytes that are blanks in some countries.
 *
 * It tells words and what stands between them, and not how commands belong together; that is for the grammar, which is far
 * larger and has to find the same words.
 */
export function lexShell(text: string): LexedShell | undefined {
  try {
    return new ShellLexer(text).lex();
  } catch (error) {
    if (error instanceof Unlexed) return undefined;
    throw error;
  }
}

class ShellLexer {
  #text: string;
  #at = 0;
  #depth = 0;
  #isInBackticks = false;
  #heredocs: Heredoc[] = [];
  readonly #words: LexedWord[] = [];
  readonly #marks: { start: number; end: number; type: string }[] = [];
  readonly #numbers: string[] = [];

  constructor(text: string) {
    this.#text = text;
    // In some encodings such a pair is one sign.
    if (/[^\0-\x7f][\\`|{}]/.test(text)) throw new Unlexed();
  }

  lex(): LexedShell {
    this.#commands('end');
    return { words: this.#words, marks: this.#marks, numbers: this.#numbers };
  }

  #char(): string {
    return this.#text[this.#at] ?? '';
  }

  /** Passes over what the expression matches here. */
  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at += match[0].length;
    return match ?? undefined;
  }

  #mark(type: string, length = type.length): void {
    this.#marks.push({ start: this.#at, end: this.#at + length, type });
    this.#at += length;
  }

  /** What stands inside something else. Documents whose text is still to come cannot be told from what it holds. */
  #nested(closer: Closer): void {
    if (this.#heredocs.length > 0 || this.#depth++ > DEEPEST) throw new Unlexed();
    this.#commands(closer);
    if (this.#heredocs.length > 0) throw new Unlexed();
    this.#depth--;
  }

  #expect(sign: string): void {
    if (!this.#text.startsWith(sign, this.#at)) throw new Unlexed();
    this.#mark(sign);
  }

  /** Commands one after the other, up to what closes them, which is left to be read. */
  #commands(closer: Closer): void {
    let state = 'begins' as State;
    for (;;) {
      this.#blanks();
      const char = this.#char();
      if (
        char === '' ||
        char === ')' ||
        (char === '`' && this.#isInBackticks) ||
        this.#text.startsWith(';;', this.#at)
      ) {
        if ((char === '' ? 'end' : char === ';' ? ';;' : char) !== closer) throw new Unlexed();
        return;
      }
      if (char === '\n') {
        this.#at++;
        for (const heredoc of this.#heredocs.splice(0)) this.#heredoc(heredoc);
        state = 'begins';
        continue;
      }
      const isSubstitution = /^[<>]\(/.test(this.#text.slice(this.#at, this.#at + 2));
      const redirect = isSubstitution ? undefined : this.#take(REDIRECT)?.[0];
      if (redirect !== undefined) {
        this.#redirect(redirect.replace(/^\d+/, ''));
        if (state === 'begins') state = 'unnamed';
        continue;
      }
      const operator = this.#text.slice(this.#at).match(/^(?:&&|\|\||\|&|[;&|])/)?.[0];
      if (operator !== undefined) {
        this.#mark(operator);
        state = 'begins';
        continue;
      }
      if (char === '(') {
        if (state !== 'begins') throw new Unlexed();
        if (this.#text.startsWith('((', this.#at)) this.#number(IN_NUMBER);
        else {
          this.#mark('(');
          this.#nested(')');
          this.#expect(')');
        }
        state = 'closed';
        continue;
      }
      if (state === 'begins' || state === 'closed') {
        const keyword = this.#keyword();
        if (keyword === 'esac' && closer === ';;') return;
        const next = keyword === undefined ? undefined : this.#compound(keyword, state === 'closed');
        if (next !== undefined) {
          state = next;
          continue;
        }
      }
      if (state === 'closed') throw new Unlexed();
      if (state === 'named') this.#word('argument');
      else if (state === 'begins' && this.#take(FUNCTION_NAME) !== undefined) continue;
      else if (this.#assignment()) state = 'unnamed';
      else {
        this.#word('name');
        state = 'named';
      }
    }
  }

  /** The bare word that stands here, if that is all of it. */
  #keyword(): string | undefined {
    return /^(?:(?:\[\[?|[{!])(?=[ \t\n])|(?:\]\]|[a-z]+|\})(?=[ \t\n;&|()<>]|$))/.exec(
      this.#text.slice(this.#at, this.#at + 10),
    )?.[0];
  }

  /** What a reserved word begins or ends; nothing for a word that is none. */
  #compound(keyword: string, isBehind: boolean): 'begins' | 'closed' | undefined {
    if (OPENING.has(keyword) || CLOSING.has(keyword)) {
      this.#mark(keyword);
      return CLOSING.has(keyword) ? 'closed' : 'begins';
    }
    if (isBehind) throw new Unlexed();
    if (keyword === 'for') return this.#for();
    if (keyword === 'case') return this.#case();
    if (keyword === '[[') return this.#conditional();
    if (keyword === '[') return this.#test();
    if (keyword === 'function') {
      this.#mark(keyword);
      this.#blanks();
      if (this.#take(FUNCTION_NAME) === undefined && this.#take(/[A-Za-z_][\w-]*(?=[ \t\n])/y) === undefined)
        throw new Unlexed();
      return 'begins';
    }
    // Behind `time` another command begins, which may be of any kind.
    if (
      keyword === 'time' &&
      !/^time(?: -p)? +(?!(?:if|for|while|until|case|select|function|time)\b)[\w./]+(?=[ \n;&|)]|$)/.test(
        this.#text.slice(this.#at),
      )
    )
      throw new Unlexed();
    if (UNKNOWN.has(keyword)) throw new Unlexed();
    return undefined;
  }

  #for(): 'begins' {
    this.#mark('for');
    this.#blanks();
    if (this.#text.startsWith('((', this.#at)) {
      this.#number(IN_LOOP);
      return 'begins';
    }
    if (this.#take(/[A-Za-z_]\w*(?=[ \t\n;])/y) === undefined) throw new Unlexed();
    this.#blanks();
    if (this.#keyword() !== 'in') return 'begins';
    this.#mark('in');
    for (this.#blanks(); !/^[\n;]?$/.test(this.#char()); this.#blanks()) this.#word('argument');
    return 'begins';
  }

  /** Inside a substitution older shells take the `)` of a pattern for its end. */
  #case(): 'closed' {
    if (this.#depth > 0) throw new Unlexed();
    this.#mark('case');
    this.#blanks();
    this.#word();
    this.#lines();
    this.#expect('in');
    for (this.#lines(); this.#keyword() !== 'esac'; this.#lines()) {
      if (this.#char() === '(') this.#mark('(');
      this.#blanks();
      this.#word();
      for (this.#blanks(); this.#char() === '|'; this.#blanks()) {
        this.#mark('|');
        this.#blanks();
        this.#word();
      }
      this.#expect(')');
      this.#commands(';;');
      if (this.#keyword() !== 'esac') this.#expect(';;');
    }
    this.#mark('esac');
    return 'closed';
  }

  #lines(): void {
    for (this.#blanks(); this.#char() === '\n'; this.#blanks()) this.#at++;
    if (this.#char() === '' || this.#heredocs.length > 0) throw new Unlexed();
  }

  /** `[[ … ]]`: what it compares is no command. */
  #conditional(): 'closed' {
    this.#mark('[[');
    const texts: string[] = [];
    for (this.#blanks(); this.#keyword() !== ']]'; this.#blanks()) {
      const start = this.#at;
      if (this.#take(/&&|\|\||[()]|[<>](?!\()|!(?= )/y) === undefined) this.#word();
      texts.push(this.#text.slice(start, this.#at));
    }
    for (const [index, text] of texts.entries()) {
      const [before = '', after = ''] = [texts[index - 1], texts[index + 1]];
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(text)) this.#numbers.push(before, after);
      if (/^-[vR]$/.test(text) && !/^[A-Za-z_]\w*$/.test(after)) throw new Unlexed();
    }
    this.#mark(']]');
    return 'closed';
  }

  /**
   * `[ … ]` is a command whose words may be anything, also `-v` and `a[$(id)]`, which runs `id`.
   */
  #test(): 'closed' {
    this.#mark('[');
    const words: ShellWord[] = [];
    for (this.#blanks(); !/^\](?:[ \t\n;&|)]|$)/.test(this.#text.slice(this.#at, this.#at + 2)); this.#blanks())
      words.push(this.#word());
    this.#mark(']');
    if (!isKnownTest(words)) throw new Unlexed();
    return 'closed';
  }

  /** Passes over blanks, joined lines between words, and comments. */
  #blanks(): void {
    for (;;) {
      const before = this.#text[this.#at - 1] ?? ' ';
      const isApart = /[ \t]/.test(before);
      if (/[ \t]/.test(this.#char())) this.#at++;
      else if (this.#text.startsWith('\\\n', this.#at)) {
        // Without the line's end, what stands before and behind it may be one sign: `&` and `&`, a blank and `#`.
        const after = this.#text[this.#at + 2] ?? '';
        if (!(isApart ? /[^#\\\n]/ : /[;&|]/.test(before) ? /[ \t\w./'"$-]/ : /[^\s\S]/).test(after))
          throw new Unlexed();
        if (this.#heredocs.length > 0) throw new Unlexed();
        this.#at += 2;
      } else if (this.#char() === '#' && (isApart || before === '\n')) {
        const comment = this.#take(/#[^\n]*/y)![0];
        if (this.#heredocs.length > 0 || (this.#depth > 0 && !/^#[\w ,.:-]*$/.test(comment))) throw new Unlexed();
        this.#at -= comment.length;
        this.#mark('comment', comment.length);
      } else return;
    }
  }

  #redirect(operator: string): void {
    if (operator.startsWith('<<') && operator !== '<<<') {
      const match = this.#take(HEREDOC_END);
      const end = match?.[1] ?? match?.[2] ?? match?.[3];
      if (end === undefined) throw new Unlexed();
      this.#heredocs.push({ end, isQuoted: match?.[1] === undefined, isIndented: operator.endsWith('-') });
      return;
    }
    if (operator.endsWith('&') && this.#take(/-(?=[ \t\n;&|)]|$)/y) !== undefined) return;
    this.#blanks();
    this.#word('file');
  }

  /** The text of a here-document. It ends before what runs in it is looked for. */
  #heredoc({ end, isQuoted, isIndented }: Heredoc): void {
    const start = this.#at;
    let [from, to] = [start, start];
    for (let line = ''; ; from = to + 1) {
      if (from > this.#text.length) throw new Unlexed();
      to = this.#text.indexOf('\n', from);
      if (to === -1) to = this.#text.length;
      line = this.#text.slice(from, to);
      if ((isIndented ? line.replace(/^\t+/, '') : line) === end) break;
    }
    if (!isQuoted) {
      const whole = this.#text;
      this.#text = whole.slice(0, from);
      if (/`|\\\n/.test(this.#text.slice(start))) throw new Unlexed();
      while (this.#at < from) {
        if (this.#char() === '\\') this.#at += 2;
        else if (this.#char() === '$') this.#dollar(true);
        else this.#at++;
      }
      this.#text = whole;
    }
    this.#at = Math.min(to + 1, this.#text.length);
  }

  /** `NAME=value` in front of a command, or alone. */
  #assignment(): boolean {
    const start = this.#at;
    if (this.#take(ASSIGNMENT) === undefined) return false;
    const valueStart = this.#at;
    if (this.#char() === '(') {
      this.#at++;
      for (this.#lines(); this.#char() !== ')'; this.#lines()) {
        if (this.#char() === '[') throw new Unlexed();
        this.#word();
      }
      this.#at++;
      if (!/^[ \t\n;&|)]?$/.test(this.#char())) throw new Unlexed();
      const word: ShellWord = { pieces: [{ kind: 'dynamic', text: this.#text.slice(valueStart, this.#at) }] };
      this.#words.push({ start: valueStart, end: this.#at, role: 'value', word });
    } else if (!/^[ \t\n;&|)`]?$/.test(this.#char())) this.#word('value');
    this.#words.push({ start, end: this.#at, role: 'assignment', word: plainWord('') });
    return true;
  }

  #word(role?: WordRole): ShellWord {
    const start = this.#at;
    if (this.#char() === '#') throw new Unlexed();
    const pieces: WordPiece[] = [];
    const add = (kind: WordPiece['kind'], text: string) => {
      const last = pieces.at(-1);
      if (kind === 'bare' && last?.kind === 'bare' && !last.text.startsWith('$')) last.text += text;
      else pieces.push({ kind, text });
    };
    if (/[<>]/.test(this.#char())) {
      this.#at++;
      if (this.#char() !== '(') throw new Unlexed();
      this.#substitution();
      add('dynamic', this.#text.slice(start, this.#at));
    }
    for (let char = this.#char(); !/^[ \t\n;&|<>()]?$/.test(char); char = this.#char()) {
      if (char === '`' && this.#isInBackticks) break;
      const from = this.#at;
      if (char === "'") {
        add('quoted', this.#to("'", 1).slice(1, -1));
      } else if (char === '"') pieces.push(...this.#doubleQuoted());
      else if (char === '`') {
        this.#backticks();
        add('dynamic', this.#text.slice(from, this.#at));
      } else if (char === '$') pieces.push(this.#dollar(false));
      else if (char === '\\') {
        const escaped = this.#text[from + 1] ?? '\n';
        if (!/[ -~]/.test(escaped)) throw new Unlexed();
        add('quoted', escaped);
        this.#at += 2;
      } else {
        const sign = this.#take(BARE)?.[0] ?? '\0';
        // These bytes are blanks in some countries.
        if (Buffer.from(sign).some((byte) => byte < 0x20 || byte === 0x7f || byte === 0x85 || byte === 0xa0))
          throw new Unlexed();
        add('bare', sign);
      }
    }
    const raw = this.#text.slice(start, this.#at);
    // `a<(b)` is one word, `{name}>f` sets a variable, and `a(` is no word at all.
    if (raw === '' || this.#char() === '(' || /^[<>]\(/.test(this.#text.slice(this.#at, this.#at + 2)))
      throw new Unlexed();
    if (/^[<>]$/.test(this.#char()) && /^(?:\d+|\{.*\})$/s.test(raw)) throw new Unlexed();
    const word = { pieces };
    if (role !== undefined) this.#words.push({ start, end: this.#at, role, word });
    return word;
  }

  /** The text up to and with the next such sign, which stands no nearer than `skip`. */
  #to(sign: string, skip: number): string {
    const end = this.#text.indexOf(sign, this.#at + skip);
    if (end === -1) throw new Unlexed();
    const text = this.#text.slice(this.#at, end + 1);
    if (this.#heredocs.length > 0 && text.includes('\n')) throw new Unlexed();
    this.#at = end + 1;
    return text;
  }

  #doubleQuoted(): WordPiece[] {
    const pieces: WordPiece[] = [];
    let text = '';
    const flush = () => {
      if (text !== '') pieces.push({ kind: 'quoted', text });
      text = '';
    };
    this.#at++;
    for (let char = this.#char(); char !== '"'; char = this.#char()) {
      const from = this.#at;
      if (char === '' || (char === '\n' && this.#heredocs.length > 0)) throw new Unlexed();
      if (char === '\\') {
        const escaped = this.#text[from + 1] ?? '\n';
        if (escaped === '\n') throw new Unlexed();
        text += /[$`"\\]/.test(escaped) ? escaped : char + escaped;
        this.#at += 2;
      } else if (char === '`') {
        flush();
        this.#backticks();
        pieces.push({ kind: 'dynamic', text: `"${this.#text.slice(from, this.#at)}"` });
      } else if (char === '$') {
        const piece = this.#dollar(true);
        if (piece.kind === 'quoted') text += piece.text;
        else {
          flush();
          pieces.push(piece);
        }
      } else {
        text += char;
        this.#at++;
      }
    }
    this.#at++;
    flush();
    return pieces.length === 0 ? [{ kind: 'quoted', text: '' }] : pieces;
  }

  /** What a `$` stands for, in quotes or outside. */
  #dollar(isQuoted: boolean): WordPiece {
    const start = this.#at++;
    const char = this.#char();
    if (this.#text.startsWith('((', this.#at)) this.#number(IN_NUMBER);
    else if (char === '(') this.#substitution();
    else if (char === '{') this.#braced();
    else if (char === "'" && !isQuoted) {
      const inside = this.#take(/'((?:\\[ -~]|[^\\'\n])*)'/y)?.[1];
      if (inside === undefined) throw new Unlexed();
      if (!inside.includes('\\')) return { kind: 'quoted', text: inside };
    } else if (this.#take(PARAMETER) === undefined) {
      const isAlone = isQuoted ? /^["\n ,.:;/%)|]$/ : /^[ \t\n;&|)]?$/;
      if (!isAlone.test(char)) throw new Unlexed();
      return { kind: isQuoted ? 'quoted' : 'bare', text: '$' };
    }
    const text = this.#text.slice(start, this.#at);
    if (/^\$[$!?#]$/.test(text)) return { kind: 'bare', text };
    return { kind: 'dynamic', text: isQuoted ? `"${text}"` : text };
  }

  /** `( … )` behind `$`, `<` or `>`. */
  #substitution(): void {
    this.#at++;
    this.#nested(')');
    this.#at++;
  }

  /** The shell takes signs out of what stands between backticks before it reads it, so there must be none of those. */
  #backticks(): void {
    const end = this.#text.indexOf('`', this.#at + 1);
    if (end === -1 || !/^[\w ./:=,@%+|;&-]*$/.test(this.#text.slice(this.#at + 1, end))) throw new Unlexed();
    this.#at++;
    this.#isInBackticks = true;
    this.#nested('`');
    this.#isInBackticks = false;
    this.#at++;
  }

  /** `${…}`: a name, and behind some signs plain text, values and substitutions. */
  #braced(): void {
    const match = this.#take(BRACED)?.[0];
    if (match === undefined) throw new Unlexed();
    if (match.endsWith('}')) return;
    if (this.#heredocs.length > 0 || this.#depth++ > DEEPEST) throw new Unlexed();
    while (this.#char() !== '}') {
      if (this.#char() === '$' && /[\w(]/.test(this.#text[this.#at + 1] ?? '')) this.#dollar(false);
      else if (IN_BRACES.test(this.#char())) this.#at++;
      else throw new Unlexed();
    }
    this.#depth--;
    this.#at++;
  }

  /** What is worked out, up to `))`: where the first `)` that has no partner is not the last but one, it is commands. */
  #number(signs: RegExp): void {
    const start = (this.#at += '(('.length);
    if (this.#depth++ > DEEPEST) throw new Unlexed();
    for (let open = 0; ;) {
      if (this.#char() === ')' && open-- === 0) break;
      if (this.#char() === '(') open++;
      if (this.#char() === '$') this.#dollar(true);
      else if (signs.test(this.#char())) this.#at++;
      else throw new Unlexed();
    }
    if (!this.#text.startsWith('))', this.#at)) throw new Unlexed();
    this.#numbers.push(...this.#text.slice(start, this.#at).split(';'));
    this.#depth--;
    this.#at += '))'.length;
  }
}
