import type { MarkedToken, Token, Tokens } from 'marked';
import { lexMarkdown } from '../channels/bounded-markdown.ts';
import { codeSpan, plainSpan, cleanText } from './rich-text.ts';
import { tableBlock } from './table-block.ts';
import type { Block, Span } from './telegram-body.ts';
import { webAddress } from './web-address.ts';

/** What is read of one text at most. The rest is in the console. */
export const MAX_MARKDOWN_CHARS = 24_000;

/** How deep lists and quotations go into one another before they are shown as they were written. */
const MAX_DEPTH = 8;

/** Marks of quotations and lists one after the other: the lexer would go as deep as there are marks. */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){20}/m;

/**
 * Markdown as an agent writes it, in blocks that Telegram can show.
 *
 * Where Telegram has nothing alike, it is said in characters: bullets, boxes and lines; a heading is bold, a table is code
 * with its columns under one another. Tags are shown, not followed. Line breaks stay where they were written.
 */
export function markdownBlocks(source: string): Block[] {
  const text = source.slice(0, MAX_MARKDOWN_CHARS);
  if (TOO_DEEP.test(text)) return plainBlocks(text);
  let tokens: Token[];
  try {
    tokens = lexMarkdown(text);
  } catch {
    // The lexer calls itself for what is in one another, and a text can be made for that.
    return plainBlocks(text);
  }
  return spaced(blocksOf(tokens, 0));
}

/** Text as it was written. */
function plainBlocks(text: string): Block[] {
  return [{ type: 'text', spans: [plainSpan(text.trim())] }];
}

/** Paragraphs have an empty line between them. */
function spaced(blocks: readonly Block[]): Block[] {
  return blocks.map((block, index) => (index === 0 ? block : { ...block, gap: true }));
}

function blocksOf(tokens: readonly Token[], depth: number): Block[] {
  return tokens.flatMap((token) => blockOf(token as MarkedToken, depth));
}

function blockOf(token: MarkedToken, depth: number): Block[] {
  if (depth > MAX_DEPTH) return plainBlocks(token.raw);
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      return textBlock(spansOf(token.tokens, { bold: true }));
    case 'paragraph':
      return textBlock(spansOf(token.tokens, {}));
    case 'text':
      return textBlock(token.tokens === undefined ? [plainSpan(decoded(token.text))] : spansOf(token.tokens, {}));
    case 'code':
      return token.text.trim() === ''
        ? []
        : [{ type: 'pre', text: cleanText(token.text), language: /^\S*/.exec(token.lang ?? '')![0] }];
    case 'blockquote':
      return [{ type: 'quote', spans: flattened(spaced(blocksOf(token.tokens, depth + 1))) }];
    case 'list':
      return listBlocks(token, depth);
    case 'table':
      return tableBlock(token, (cell) => textOf(spansOf(cell.tokens, {})));
    case 'hr':
      return [{ type: 'text', spans: [{ text: '———' }] }];
    default: // Tags, and what is new to us.
      return token.raw.trim() === '' ? [] : plainBlocks(token.raw);
  }
}

function textBlock(spans: readonly Span[]): Block[] {
  return /\S/.test(textOf(spans)) ? [{ type: 'text', spans }] : [];
}

/** A list is text with bullets; code in it is a block of its own, with the rest of the list after it. */
function listBlocks(list: Tokens.List, depth: number): Block[] {
  const blocks: Block[] = [];
  const indent = '   '.repeat(depth);
  for (const [index, item] of list.items.entries()) {
    const bullet = item.task
      ? item.checked === true
        ? '☑ '
        : '☐ '
      : list.ordered
        ? `${Number(list.start) + index}. `
        : depth % 2 === 0
          ? '• '
          : '◦ ';
    let isFirst = true;
    for (const token of item.tokens) {
      if (token.type === 'checkbox') continue;
      for (const block of blockOf(token as MarkedToken, depth + 1)) {
        if (block.type === 'text') {
          // A list inside has its bullets already.
          const lead = token.type === 'list' ? '' : isFirst ? `${indent}${bullet}` : `${indent}   `;
          appendLines(blocks, [{ text: lead }, ...block.spans]);
        } else blocks.push(block);
        isFirst = false;
      }
    }
    if (isFirst) appendLines(blocks, [{ text: `${indent}${bullet}`.trimEnd() }]);
  }
  return blocks;
}

/** Puts lines below the ones before, where those are text too. */
function appendLines(blocks: Block[], spans: readonly Span[]): void {
  const last = blocks.at(-1);
  if (last?.type === 'text') blocks[blocks.length - 1] = { ...last, spans: [...last.spans, { text: '\n' }, ...spans] };
  else blocks.push({ type: 'text', spans });
}

/** Blocks as lines of one block: nothing but lines fits into a quotation. */
function flattened(blocks: readonly Block[]): Span[] {
  return blocks.flatMap((block, index): Span[] => {
    const lead: Span[] = index === 0 ? [] : [{ text: block.gap === true ? '\n\n' : '\n' }];
    if (block.type === 'pre') {
      const lines = block.text.split('\n').map((line): Span => ({ text: line, code: true }));
      return [...lead, ...lines.flatMap((line, at): Span[] => (at === 0 ? [line] : [{ text: '\n' }, line]))];
    }
    if (block.type === 'text') return [...lead, ...block.spans];
    return [
      ...lead,
      { text: '│ ' },
      ...block.spans.map((span) => ({ ...span, text: span.text.replaceAll('\n', '\n│ ') })),
    ];
  });
}

type Style = Omit<Span, 'text'>;

function spansOf(tokens: readonly Token[], style: Style, depth = 0): Span[] {
  return tokens.flatMap((token) => spansOfToken(token as MarkedToken, style, depth));
}

function spansOfToken(token: MarkedToken, style: Style, depth: number): Span[] {
  if (depth > 50) return [plainSpan(token.raw, style)];
  const inside = (tokens: readonly Token[], more: Style) => spansOf(tokens, { ...style, ...more }, depth + 1);
  switch (token.type) {
    case 'strong':
      return inside(token.tokens, { bold: true });
    case 'em':
      return inside(token.tokens, { italic: true });
    case 'del':
      return inside(token.tokens, { strike: true });
    case 'codespan':
      return style.url === undefined ? [codeSpan(token.text)] : [plainSpan(token.text, style)];
    case 'br':
      return [{ text: '\n' }];
    case 'link':
      return linkSpans(inside(token.tokens, {}), token.href, style);
    case 'image':
      return linkSpans([plainSpan(token.text === '' ? token.href : decoded(token.text), style)], token.href, style);
    case 'escape':
      return [plainSpan(token.text, style)];
    case 'text':
      return token.tokens === undefined ? [plainSpan(decoded(token.text), style)] : inside(token.tokens, {});
    default: // Tags are shown as they are.
      return [plainSpan(token.raw, style)];
  }
}

/** Where an address is none that may be followed, it is told in words. */
function linkSpans(spans: readonly Span[], href: string, style: Style): Span[] {
  const url = webAddress(href);
  const isBlank = textOf(spans).trim() === '';
  if (url !== undefined && style.url === undefined) {
    if (isBlank) return [plainSpan(url, { ...style, url })];
    return spans.map((span) => (span.code === true ? { text: span.text, url } : { ...span, url }));
  }
  const shown = decoded(href).replace(/^mailto:/i, '');
  return isBlank || textOf(spans) !== shown ? [...spans, plainSpan(` (${shown})`, style)] : [...spans];
}

function textOf(spans: readonly Span[]): string {
  return spans.map(({ text }) => text).join('');
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** The characters that Markdown writes in names and numbers. */
function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi,
    (all, decimal, hex, name: string | undefined) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? all;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
    },
  );
}
