import { checkLink } from './check-link.ts';
import { sortEntities } from './sort-entities.ts';
import type { TelegramEntity } from './telegram-wire.ts';

/** Text without its markup, and what the markup said. */
export interface ParsedText {
  text: string;
  entities: TelegramEntity[];
}

/** Text that is no MarkdownV2. The message is Telegram's own, after `can't parse entities: `. */
export class MarkdownError extends Error {
  override readonly name = 'MarkdownError';
}

type Mark =
  | 'Bold'
  | 'Italic'
  | 'Underline'
  | 'Strikethrough'
  | 'Spoiler'
  | 'Code'
  | 'Pre'
  | 'PreCode'
  | 'TextUrl'
  | 'CustomEmoji'
  | 'BlockQuote';

/** Markup that was opened and not closed yet. */
interface Opened {
  mark: Mark;
  /** Where its text begins in what was read so far. */
  offset: number;
  /** Where its sign is in the source. */
  at: number;
  language?: string;
}

const RESERVED = new Set('_*[]()~`>#+-=|{}.!\n');

const TYPES: Record<Exclude<Mark, 'TextUrl' | 'CustomEmoji'>, TelegramEntity['type']> = {
  Bold: 'bold',
  Italic: 'italic',
  Underline: 'underline',
  Strikethrough: 'strikethrough',
  Spoiler: 'spoiler',
  Code: 'code',
  Pre: 'pre',
  PreCode: 'pre',
  BlockQuote: 'blockquote',
};

/** What closes a mark, and what opens it where that is one sign. A quotation ends with its line. */
const SIGNS: Record<Exclude<Mark, 'BlockQuote'>, string> = {
  Bold: '*',
  Italic: '_',
  Underline: '__',
  Strikethrough: '~',
  Spoiler: '||',
  Code: '`',
  Pre: '```',
  PreCode: '```',
  TextUrl: ']',
  CustomEmoji: ']',
};

/**
 * Reads MarkdownV2 as Telegram does, and refuses what Telegram refuses with the words it uses.
 *
 * It follows what the Bot API documents and what its open server is known to do, and shares nothing with our own writer
 * of MarkdownV2, which is tested by it. Entities come as they were closed, sorted; `settleText` brings them into the form that people get.
 */
export function parseMarkdownV2(source: string): ParsedText {
  return new Reader(source).read();
}

/** One way through a source. `#text` is what people will read, so its length is the offset of the next character. */
class Reader {
  readonly #source: string;
  readonly #opened: Opened[] = [];
  readonly #entities: TelegramEntity[] = [];
  #at = 0;
  #text = '';
  #isQuoting = false;
  /** Nothing visible stands on this line yet. */
  #isLineStart = true;

  constructor(source: string) {
    this.#source = source;
  }

  read(): ParsedText {
    while (this.#at < this.#source.length) {
      const escaped = this.#escaped(this.#at);
      const char = this.#source[this.#at]!;
      if (escaped !== undefined) {
        this.#say(escaped);
        this.#at += 2;
      } else if (this.#isPlain(char)) {
        this.#say(char);
        this.#at += 1;
      } else if (this.#endsQuote(char)) {
        this.#closeQuote();
      } else if (this.#closes()) {
        this.#close();
      } else {
        this.#open(char);
      }
    }
    this.#finish();
    return { text: this.#text, entities: sortEntities(this.#entities) };
  }

  /** The character after a backslash that stands for itself. Beyond `~` a backslash is only a backslash. */
  #escaped(at: number): string | undefined {
    const next = this.#source[at + 1];
    return this.#source[at] === '\\' && next !== undefined && next >= '\u0001' && next <= '~' ? next : undefined;
  }

  #isPlain(char: string): boolean {
    return this.#isInCode() ? char !== '`' : !RESERVED.has(char);
  }

  #isInCode(): boolean {
    const mark = this.#opened.at(-1)?.mark;
    return mark === 'Code' || mark === 'Pre' || mark === 'PreCode';
  }

  #say(char: string): void {
    this.#text += char;
    if (char !== '\r') this.#isLineStart = char === '\n';
  }

  #has(sign: string): boolean {
    return this.#source.startsWith(sign, this.#at);
  }

  #closes(): boolean {
    const mark = this.#opened.at(-1)?.mark;
    if (mark === undefined || mark === 'BlockQuote') return false;
    // `__` is never two signs of italic: it is read greedily, from left to right.
    return mark === 'Italic' ? this.#has('_') && !this.#has('__') : this.#has(SIGNS[mark]);
  }

  #open(char: string): void {
    if (char === '\n') {
      this.#say(char);
      this.#at += 1;
      return;
    }
    if (char === '>') return this.#openQuote();
    const mark = this.#markHere(char);
    if (mark === undefined) throw reserved(char);
    const opened: Opened = { mark, offset: this.#text.length, at: this.#at };
    this.#at += mark === 'TextUrl' ? 1 : mark === 'CustomEmoji' ? 2 : SIGNS[mark as 'Bold'].length;
    if (mark === 'Pre') this.#readFence(opened);
    this.#opened.push(opened);
  }

  #markHere(char: string): Mark | undefined {
    switch (char) {
      case '_':
        return this.#has('__') ? 'Underline' : 'Italic';
      case '*':
        return 'Bold';
      case '~':
        return 'Strikethrough';
      case '|':
        return this.#has('||') ? 'Spoiler' : undefined;
      case '[':
        return 'TextUrl';
      case '`':
        return this.#has('```') ? 'Pre' : 'Code';
      case '!':
        return this.#has('![') ? 'CustomEmoji' : undefined;
      default:
        return undefined;
    }
  }

  /** The language behind a fence, if a blank or a line's end follows it, and one line's end. */
  #readFence(opened: Opened): void {
    const word = /^[^\s\0`]+/.exec(this.#source.slice(this.#at))?.[0] ?? '';
    const after = this.#source[this.#at + word.length];
    if (word !== '' && after !== undefined && after !== '`') {
      opened.mark = 'PreCode';
      opened.language = word;
      this.#at += word.length;
    }
    this.#at += /^(\r\n|\n\r|\n|\r)?/.exec(this.#source.slice(this.#at))![0].length;
  }

  #close(): void {
    const opened = this.#opened.pop()!;
    const { mark, offset } = opened;
    this.#at += SIGNS[mark as 'Bold'].length;
    const where = { offset, length: this.#text.length - offset };
    let entity: TelegramEntity | undefined;
    if (mark === 'TextUrl') {
      entity = linkEntity(this.#has('(') ? this.#readUrl() : this.#text.slice(offset), where);
    } else if (mark === 'CustomEmoji') {
      if (!this.#has('(')) throw new MarkdownError('The entity must contain a tg://emoji or tg://time URL');
      entity = emojiEntity(this.#readUrl(), where);
    } else {
      entity = { type: TYPES[mark], ...where, ...(opened.language !== undefined && { language: opened.language }) };
    }
    if (entity !== undefined && where.length > 0) this.#entities.push(entity);
  }

  #readUrl(): string {
    this.#at += 1;
    const begin = this.#at;
    let url = '';
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      const escaped = this.#escaped(this.#at);
      url += escaped ?? this.#source[this.#at]!;
      this.#at += escaped === undefined ? 1 : 2;
    }
    if (this.#at === this.#source.length) {
      throw new MarkdownError(`Can't find end of a URL at byte offset ${this.#byteOffset(begin)}`);
    }
    this.#at += 1;
    return url;
  }

  #openQuote(): void {
    if (!this.#isLineStart) throw reserved('>');
    // On the next lines of a quotation the sign says only that it goes on.
    if (!this.#isQuoting) this.#opened.push({ mark: 'BlockQuote', offset: this.#text.length, at: this.#at });
    this.#isQuoting = true;
    this.#at += 1;
  }

  #endsQuote(char: string): boolean {
    return this.#isQuoting && char === '\n' && this.#source[this.#at + 1] !== '>' && this.#opened.length > 0;
  }

  /** At the end of its last line. `||` as the last sign of it means that the quotation is folded. */
  #closeQuote(): void {
    const isFolded = this.#dropFoldSign();
    const opened = this.#opened.at(-1)!;
    if (opened.mark !== 'BlockQuote') throw this.#unclosed(opened);
    this.#opened.pop();
    this.#isQuoting = false;
    this.#say('\n');
    this.#at += 1;
    this.#addQuote(opened, isFolded);
  }

  #finish(): void {
    if (this.#isQuoting) {
      const isFolded = this.#dropFoldSign();
      const opened = this.#opened.at(-1)!;
      if (opened.mark === 'BlockQuote') {
        this.#opened.pop();
        if (this.#text.length > opened.offset) this.#addQuote(opened, isFolded);
      }
    }
    const open = this.#opened.at(-1);
    if (open !== undefined) throw this.#unclosed(open);
  }

  #addQuote({ offset }: Opened, isFolded: boolean): void {
    const type = isFolded ? 'expandable_blockquote' : 'blockquote';
    this.#entities.push({ type, offset, length: this.#text.length - offset });
  }

  /** A spoiler that was opened right here, at the end of the quotation. */
  #dropFoldSign(): boolean {
    const last = this.#opened.at(-1)!;
    const since = this.#source.slice(last.at, this.#at);
    if (last.mark !== 'Spoiler' || (since !== '||' && since !== '||\r')) return false;
    this.#opened.pop();
    return true;
  }

  #unclosed({ mark, at }: Opened): MarkdownError {
    return new MarkdownError(`Can't find end of ${mark} entity at byte offset ${this.#byteOffset(at)}`);
  }

  #byteOffset(at: number): number {
    return Buffer.byteLength(this.#source.slice(0, at));
  }
}

function reserved(char: string): MarkdownError {
  return new MarkdownError(`Character '${char}' is reserved and must be escaped with the preceding '\\'`);
}

type Place = Pick<TelegramEntity, 'offset' | 'length'>;

/** A link that is none leaves its text behind, without a word. */
function linkEntity(url: string, place: Place): TelegramEntity | undefined {
  const userId = /^tg:(?:\/\/)?user\/?\?id=(\d+)$/i.exec(url)?.[1];
  if (userId !== undefined) return { type: 'text_mention', ...place, user: { id: Number(userId) } };
  const checked = checkLink(url);
  return checked === undefined ? undefined : { type: 'text_link', ...place, url: checked };
}

function emojiEntity(url: string, place: Place): TelegramEntity {
  const emojiId = /^tg:(?:\/\/)?emoji\/?\?id=(\d+)$/i.exec(url)?.[1];
  if (emojiId !== undefined) return { type: 'custom_emoji', ...place, custom_emoji_id: emojiId };
  if (/^tg:(?:\/\/)?time\/?\?unix=\d+/i.test(url)) return { type: 'date_time', ...place };
  throw new MarkdownError('Invalid tg://emoji or tg://time URL specified');
}
