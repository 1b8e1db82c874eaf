import { type MarkedToken, type Token, Tokenizer, type Tokens } from 'marked';
import { lexMarkdown } from '../../channels/bounded-markdown.ts';
import { visibleMarks } from '@dragoman/protocol';
import { codeBlock, escapeMarkdown, inlineCode } from './escape-markdown.ts';

/** How many tables a card still takes; counted down. */
export interface TableCount {
  left: number;
}

/**
 * What an agent wrote, in Lark's own Markdown: each token is written anew, so nothing but what is known here is ever
 * markup. What Lark has no syntax for is shown as words.
 */
export function larkMarkdown(text: string, tables: TableCount = { left: 0 }): string {
  const lines: Line[] = [];
  try {
    lines.push(...blockLines(tokensOf(withoutDepth(text)), { tables, lists: 0, quotes: 0 }));
  } catch {
    return escapeMarkdown(text); // Deeper in one another than the stack is high.
  }
  return lines.map((line) => line.text).join('\n');
}

/** What stands behind a few words of ours: in the next line where it begins with something that is only markup there. */
export function labelled(label: string, markdown: string): string {
  if (markdown === '') return label;
  return `${label}${/^(?:[`|#>-]|\d+\. )/.test(markdown) ? '\n' : ' '}${markdown}`;
}

/**
 * Tags are words; and so is an address that is only named elsewhere, since what comes later in a text must not change what
 * was shown of it before.
 */
class WordsOnly extends Tokenizer {
  #left = MOST_SEARCHED;
  override html(): undefined {}
  override tag(): undefined {}
  override def(): undefined {}

  override emStrong(...args: Parameters<Tokenizer['emStrong']>): ReturnType<Tokenizer['emStrong']> {
    return this.#maySearch(args[0]) ? super.emStrong(...args) : undefined;
  }

  override del(...args: Parameters<Tokenizer['del']>): ReturnType<Tokenizer['del']> {
    return this.#maySearch(args[0]) ? super.del(...args) : undefined;
  }

  /** Up to what may be a mark or an address. That of the library looks ahead for mail addresses, from every word on. */
  override inlineText(text: string): Tokens.Text | undefined {
    const raw = /^(?:[`~]+|[^])(?:(?!https?:\/\/|www\.| {2,40}\n|!\[)[^\\<[`*~_])*/i.exec(text)?.[0];
    return raw === undefined ? undefined : { type: 'text', raw, text: raw, escaped: false };
  }

  #maySearch(text: string): boolean {
    const isMark = /^[*_~]/.test(text);
    if (isMark) this.#left -= text.length;
    return isMark && this.#left > 0;
  }
}

/**
 * Each mark of emphasis is followed by a search for its end. A text of nothing but marks would take seconds, in which
 * nothing else gets its turn; so after this many characters they are only words.
 */
const MOST_SEARCHED = 500_000;

function tokensOf(text: string): Token[] {
  return lexMarkdown(text, { gfm: true, breaks: false, tokenizer: new WordsOnly() });
}

/** A line of which more than eight marks open something one in another is cut short by a space without width. */
function withoutDepth(text: string): string {
  return text.replaceAll(/^((?:[ \t]{0,3}(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])){8})(?=[ \t]*[->+*\d])/gm, '$1\u200b');
}

interface Line {
  text: string;
  /** Between fences, which stand at the left wherever they are. */
  isCode?: boolean;
}

interface Place {
  tables: TableCount;
  lists: number;
  quotes: number;
}

const MOST_LISTS = 4;
const MOST_QUOTES = 3;

function blockLines(tokens: readonly Token[], place: Place): Line[] {
  const lines: Line[] = [];
  for (const token of tokens) {
    const own = linesOf(token as MarkedToken, place);
    if (own.length === 0) continue;
    if (lines.length > 0) lines.push({ text: '' });
    lines.push(...own);
  }
  return lines;
}

function linesOf(token: MarkedToken, place: Place): Line[] {
  switch (token.type) {
    case 'paragraph':
    case 'text':
      return wordLines(inline('tokens' in token ? token.tokens : undefined, token.text));
    case 'heading':
      return [{ text: `${'#'.repeat(token.depth)} ${inline(token.tokens, token.text).replaceAll('\n', ' ')}` }];
    case 'code':
      return codeLines(token.text, token.lang, place);
    case 'blockquote':
      return quoteLines(token, place);
    case 'list':
      return listLines(token, place);
    case 'table':
      return tableLines(token, place);
    case 'hr':
      return [{ text: '---' }];
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    default:
      return wordLines(escapeMarkdown(token.raw));
  }
}

function wordLines(text: string): Line[] {
  const words = text.replace(/^\n+/, '').trimEnd();
  return words === '' ? [] : words.split('\n').map((line) => ({ text: line.trimStart() }));
}

function codeLines(code: string, info: string | undefined, { quotes }: Place): Line[] {
  // A fence behind a mark of a quote may not be one for Lark.
  if (quotes > 0) return wordLines(escapeMarkdown(code));
  const [language = ''] = (info ?? '').trim().split(/\s/, 1);
  return codeBlock(code, language)
    .split('\n')
    .map((text) => ({ text, isCode: true }));
}

function quoteLines({ tokens }: Tokens.Blockquote, place: Place): Line[] {
  const lines = blockLines(tokens, { ...place, quotes: place.quotes + 1 });
  return place.quotes >= MOST_QUOTES ? lines : lines.map(({ text }) => ({ text: `> ${text}` }));
}

function listLines({ items, ordered, start }: Tokens.List, place: Place): Line[] {
  const isFlat = place.lists >= MOST_LISTS;
  const first = typeof start === 'number' && Number.isSafeInteger(start) ? start : 1;
  return items.flatMap((item, index) => {
    const lines = blockLines(item.tokens, { ...place, lists: place.lists + 1 }).filter(
      (line, at) => line.text !== '' || line.isCode === true || at === 0,
    );
    const box = item.task ? (item.checked === true ? '☑ ' : '☐ ') : '';
    const mark = ordered ? `${first + index}. ` : '- ';
    const [head, ...rest] = lines[0]?.isCode === true ? [{ text: '' }, ...lines] : lines;
    return [
      { text: `${mark}${box}${head?.text ?? ''}` },
      ...rest.map((line) => (line.isCode === true || isFlat ? line : { text: `    ${line.text}` })),
    ];
  });
}

function tableLines({ header, rows }: Tokens.Table, place: Place): Line[] {
  const cells = (row: readonly Tokens.TableCell[]) =>
    row.map(({ tokens, text }) => inline(tokens, text).replaceAll('\n', ' ').trim());
  const isTable = place.tables.left > 0 && place.lists === 0 && place.quotes === 0;
  if (!isTable)
    return [{ text: cells(header).join(' · ') }, ...rows.map((row) => ({ text: `- ${cells(row).join(' · ')}` }))];
  place.tables.left -= 1;
  const line = (row: readonly string[]) => ({
    text: `| ${row.map((cell) => (cell === '' ? ' ' : cell)).join(' | ')} |`,
  });
  return [line(cells(header)), line(header.map(() => '---')), ...rows.map((row) => line(cells(row)))];
}

function inline(tokens: readonly Token[] | undefined, text: string): string {
  if (tokens === undefined) return escapeMarkdown(decoded(text));
  return tokens.map((token) => inlineOf(token as MarkedToken)).join('');
}

function inlineOf(token: MarkedToken): string {
  switch (token.type) {
    case 'text':
      return 'tokens' in token && token.tokens !== undefined
        ? inline(token.tokens, token.text)
        : escapeMarkdown(decoded(token.text));
    case 'escape':
      return escapeMarkdown(token.text);
    case 'strong':
      return marked('**', inline(token.tokens, token.text));
    case 'em':
      return marked('*', inline(token.tokens, token.text));
    case 'del':
      return marked('~~', inline(token.tokens, token.text));
    case 'codespan':
      return inlineCode(token.text);
    case 'br':
      return '\n';
    case 'link':
      return linkTo(token.href, inline(token.tokens, token.text));
    case 'image':
      return linkTo(token.href, escapeMarkdown(token.text === '' ? token.href : token.text));
    case 'checkbox':
      return '';
    default:
      return escapeMarkdown(token.raw);
  }
}

function marked(mark: string, words: string): string {
  return words.trim() === '' ? words : `${mark}${words}${mark}`;
}

/** Only addresses that a browser or a mail program opens. Others are shown beside what they were behind. */
export function linkTo(href: string, words: string): string {
  const address = decoded(href).trim();
  const isKnown = /^(?:https?:\/\/|mailto:)[^\s\p{Cc}]+$/iu.test(address) && address.length <= 2000;
  if (!isKnown || words.trim() === '') return words;
  return `[${words}](${address.replaceAll(/[()<>[\]"'`\\|*$]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)})`;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: '\u00a0' };

/** What an author wrote as an entity is that character, unless nobody would see it. */
function decoded(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos|nbsp));/gi,
    (whole, decimal, hex, name) => {
      if (typeof name === 'string') return ENTITIES[name.toLowerCase()] ?? whole;
      const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
      const isCharacter = code >= 0x20 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code < 0xe0_00);
      const character = isCharacter ? String.fromCodePoint(code) : '';
      return character !== '' && visibleMarks(character) === character ? character : whole;
    },
  );
}
