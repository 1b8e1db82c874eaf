import { isVisible } from './rich-text.ts';
import type { Block, Span } from './telegram-body.ts';

/** Telegram ignores formatting beyond this many pieces of it. */
const MAX_ENTITIES = 100;
/** Addresses count for nothing in the length of a message, but a request has an end too. */
const MAX_URL_CHARS = 8000;

/** What a message without anything to see says instead. */
const NOTHING = '…';

/**
 * Blocks as MarkdownV2, which always parses: every character that means something is escaped for the place it stands in,
 * and what is opened is closed in order.
 *
 * Styles end at the end of a line of a quotation and begin anew on the next, because a quotation is made of lines. What
 * is too much for one message is written without style: Telegram would drop it anyway, and here it is the least that goes.
 */
export function writeMarkdownV2(blocks: readonly Block[]): string {
  if (!isVisible(plainText(blocks))) return NOTHING;
  const budget = {
    entities: MAX_ENTITIES - blocks.filter(({ type }) => type !== 'text').length,
    urlChars: MAX_URL_CHARS,
  };
  return joined(blocks, (block, before) => {
    if (block.type === 'pre') return block.text === '' ? '' : preText(block.text, block.language);
    if (block.type === 'text') return spansText(block.spans, budget);
    const isFolded = block.type === 'folded';
    // An empty bold piece begins a quotation of its own, right after another one too.
    const mark = isFolded || (before !== undefined && before.type !== 'text' && before.type !== 'pre') ? '**>' : '>';
    const lines = splitLines(block.spans).map((line) => spansText(line, budget));
    return `${mark}${lines.join('\n>')}${isFolded ? '||' : ''}`;
  });
}

/** The same without any markup, for when Telegram takes nothing else. */
export function plainText(blocks: readonly Block[]): string {
  return joined(blocks, (block) => (block.type === 'pre' ? block.text : block.spans.map(({ text }) => text).join('')));
}

/** The same, and never nothing. */
export function writePlain(blocks: readonly Block[]): string {
  const text = plainText(blocks);
  return isVisible(text) ? text : NOTHING;
}

function joined(blocks: readonly Block[], write: (block: Block, before: Block | undefined) => string): string {
  let text = '';
  for (const [index, block] of blocks.entries())
    text += `${index === 0 ? '' : block.gap === true ? '\n\n' : '\n'}${write(block, blocks[index - 1])}`;
  return text;
}

interface Budget {
  entities: number;
  urlChars: number;
}

/** In this order they stand in one another. */
const STYLES = ['url', 'bold', 'italic', 'strike', 'code'] as const;
type Style = (typeof STYLES)[number];
const MARKS: Record<Exclude<Style, 'url'>, string> = { bold: '*', italic: '_', strike: '~', code: '`' };

function spansText(spans: readonly Span[], budget: Budget): string {
  let text = '';
  let open: { style: Style; url: string }[] = [];
  const close = (count: number) => {
    for (const { style, url } of open.slice(count).toReversed())
      text += style === 'url' ? `](${escapedUrl(url)})` : MARKS[style];
    open = open.slice(0, count);
  };
  for (const span of spans) {
    if (span.text === '') continue;
    const wanted = stylesOf(span);
    const kept = open.findIndex(({ style, url }, index) => style !== wanted[index]?.style || url !== wanted[index].url);
    close(kept === -1 ? open.length : kept);
    for (const entry of wanted.slice(open.length)) {
      if (!takeFrom(budget, entry.url)) break;
      text += entry.style === 'url' ? '[' : MARKS[entry.style];
      open.push(entry);
    }
    text += open.at(-1)?.style === 'code' ? escapedCode(span.text) : escapedText(span.text);
  }
  close(0);
  return text;
}

function stylesOf(span: Span): { style: Style; url: string }[] {
  if (span.code === true) return [{ style: 'code', url: '' }];
  return STYLES.flatMap((style) =>
    span[style] === undefined ? [] : [{ style, url: style === 'url' ? (span.url ?? '') : '' }],
  );
}

function takeFrom(budget: Budget, url: string): boolean {
  if (budget.entities <= 0 || budget.urlChars < url.length) return false;
  budget.entities -= 1;
  budget.urlChars -= url.length;
  return true;
}

function splitLines(spans: readonly Span[]): Span[][] {
  const lines: Span[][] = [[]];
  for (const span of spans)
    for (const [index, text] of span.text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      lines.at(-1)!.push({ ...span, text });
    }
  return lines;
}

function preText(text: string, language: string): string {
  return `\`\`\`${language.replaceAll(/[^\w+#.-]/g, '').slice(0, 20)}\n${escapedCode(text)}\`\`\``;
}

function escapedText(text: string): string {
  return text.replaceAll(/[_*[\]()~`>#+\-=|{}.!\\]/g, String.raw`\$&`);
}

function escapedCode(text: string): string {
  return text.replaceAll(/[`\\]/g, String.raw`\$&`);
}

function escapedUrl(url: string): string {
  return url.replaceAll(/[)\\]/g, String.raw`\$&`);
}
