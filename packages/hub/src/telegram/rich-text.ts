import { visibleMarks } from '@dragoman/protocol';
import type { Block, Span } from './telegram-body.ts';

/**
 * Text as Telegram keeps it. Its server drops or replaces these characters by itself; done here, what we count is what
 * it counts, and half a surrogate pair never gets a request refused.
 */
export function cleanText(text: string): string {
  if (!/[^\n\u0020-\u007e\u00a0-\u2027\u202f-\ud7ff]/.test(text)) return text;
  return (
    text
      .toWellFormed()
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll('\t', '    ')
      // oxlint-disable-next-line no-control-regex -- these are what it is about
      .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ')
      .replaceAll(/[\u2028-\u202e]/g, '')
  );
}

/**
 * Text that stands in a line. Names after an @ would become mentions and make phones ring; a joiner that is not seen
 * keeps them apart.
 */
export function plainSpan(text: string, style: Omit<Span, 'text'> = {}): Span {
  return { ...style, text: cleanText(text).replaceAll(/(?<![\w@])@(?=\w)/g, '@\u2060') };
}

/** Code within a line. */
export function codeSpan(text: string): Span {
  return { text: cleanText(text).replaceAll(/\s+/g, ' '), code: true };
}

/** What is read of a block. */
export function blockText(block: Block): string {
  return block.type === 'pre' ? block.text : block.spans.map(({ text }) => text).join('');
}

/** How many units blocks have when they stand under one another. */
export function blocksLength(blocks: readonly Block[]): number {
  let length = 0;
  for (const [index, block] of blocks.entries()) {
    if (index > 0) length += block.gap === true ? 2 : 1;
    length += block.type === 'pre' ? block.text.length : spansLength(block.spans);
  }
  return length;
}

function spansLength(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + text.length, 0);
}

/** A block in two, at a place in its text. The break at the place itself is left out. */
export function cutBlock(block: Block, at: number): [Block, Block] {
  if (block.type === 'pre') {
    const { gap: _, ...rest } = block;
    return [
      { ...block, text: block.text.slice(0, at).trimEnd() },
      { ...rest, text: block.text.slice(at).replace(/^\n/, '') },
    ];
  }
  const [before, after]: [Span[], Span[]] = [[], []];
  let start = 0;
  for (const span of block.spans) {
    const cut = Math.min(Math.max(at - start, 0), span.text.length);
    if (cut > 0) before.push({ ...span, text: span.text.slice(0, cut) });
    if (cut < span.text.length) after.push({ ...span, text: span.text.slice(cut) });
    start += span.text.length;
  }
  return [
    { ...block, spans: trimmed(before, -1) },
    { type: block.type, spans: trimmed(after, 1) },
  ];
}

function trimmed(spans: readonly Span[], side: 1 | -1): Span[] {
  const kept = [...spans];
  for (;;) {
    const at = side === 1 ? 0 : kept.length - 1;
    const span = kept[at];
    if (span === undefined) return kept;
    // What is indented on the first line stays so: it is part of a list.
    const text = side === 1 ? span.text.replace(/^\s*\n|^ (?! )/, '') : span.text.trimEnd();
    if (text !== '') {
      kept[at] = { ...span, text };
      return kept;
    }
    kept.splice(at, 1);
  }
}

/** The last place up to `at` that is not inside of what people see as one character. */
export function characterBreak(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const from = Math.max(0, at - 64);
  let place = from;
  for (const { index } of characters.segment(text.slice(from, at + 64))) {
    if (from + index > at) break;
    place = from + index;
  }
  if (place > from) return place;
  // One "character" of endless marks: between two code points will do.
  return /[\udc00-\udfff]/.test(text[at]!) ? at - 1 : at;
}

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Text that people decide by: nothing in it is hidden or turned around. */
export function openText(text: string): string {
  return cleanText(visibleMarks(text));
}

/** On one line, and no longer than it may be; for titles, commands, labels and names, so nothing in it is hidden. */
export function oneLine(text: string, limit: number): string {
  const line = openText(text.slice(0, limit * 4))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return shortened(line, limit);
}

/** The beginning of a text, where it is too long. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, characterBreak(text, limit - 1)).trimEnd()}…`;
}

/** The end of a text, where it is too long: what a program said last tells most. */
export function shortenedStart(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `…${text.slice(characterBreak(text, text.length - limit + 1)).trimStart()}`;
}

/** Whether there is anything to see. Telegram refuses a message without. */
export function isVisible(text: string): boolean {
  return /[^\s\p{Cf}\p{Mn}\p{Cc}\u115f\u1160\u2800\u3164\uffa0]/u.test(text);
}
