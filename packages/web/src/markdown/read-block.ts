import { parser } from 'markdown-to-jsx/react';
import { endAddresses } from './end-addresses.ts';
import type { HeadingPath } from './heading-levels.ts';
import { joinEmphasis } from './join-emphasis.ts';
import { mapWords } from './map-words.ts';
import { type MarkdownNode, withOwnNodes } from './own-nodes.ts';
import { takeMath } from './take-math.ts';
import { withHeadingDepths } from './with-heading-depths.ts';

/** Longer parts of a text, and such that go deeper, are shown as they were written. */
const MAX_CHARS = 20_000;
/** Sixteen quotes or lists in one another. */
const DEEP = /^(?:[ \t]{0,8}(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){16}/m;

/** Reads a part of a text that stands below these headings; nothing where reading it would take too long. */
export function readBlock(text: string, isOpen: boolean, path: HeadingPath = []): MarkdownNode[] | undefined {
  if (text.length > MAX_CHARS || isDeep(text)) return undefined;
  try {
    const { text: signed, formulas } = takeMath(withoutComments(text, isOpen), isOpen);
    const nodes = parser(asWritten(joinEmphasis(endAddresses(signed))), {
      disableParsingRawHTML: true, // Tags are shown, not followed.
      disableFrontmatter: true,
      optimizeForStreaming: isOpen,
      sanitizer: (value) => value, // Where a link may lead is decided where it is shown.
      slugify: () => '',
    });
    return withHeadingDepths(withOwnNodes(nodes, formulas), path);
  } catch {
    return undefined; // Nested deeper than the stack is high.
  }
}

/** Quotes and lists in one another; and marks in such a number that nobody means them. */
function isDeep(text: string): boolean {
  return (
    DEEP.test(text) ||
    /^[ \t]{100}/m.test(text) ||
    /[*_~=[\]<>!`|\\]{400}/.test(text) ||
    (text.match(/\]\(</g)?.length ?? 0) > 300
  );
}

/** Remarks that nobody is to see; the last may still lack its end. */
function withoutComments(text: string, isOpen: boolean): string {
  if (!text.includes('<!--')) return text;
  const shown = mapWords(text, (words) => words.replaceAll(/<!--[^]*?-->/g, ''));
  return isOpen ? shown.replace(/<!--[^]*$/, '') : shown;
}

/** Notes at the foot that were not taken out, being too many, stay where they were written. */
function asWritten(text: string): string {
  if (!text.includes('[^')) return text;
  return mapWords(text, (words) => words.replaceAll(/^( {0,3})\[\^([^\]\n]{1,50})\]:/gm, String.raw`$1\[^$2\]:`));
}
