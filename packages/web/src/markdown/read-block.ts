import { parser } from 'markdown-to-jsx/react';
import type { MarkdownNode } from './markdown-nodes.tsx';

/** Longer parts of a text, and such that go deeper, are shown as they were written. */
const MAX_CHARS = 20_000;
/** Sixteen quotes or lists in one another. */
const DEEP = /^(?:[ \t]{0,8}(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){16}/m;

/** Reads a part of a text; nothing where reading it would take too long. */
export function readBlock(text: string, isOpen: boolean): MarkdownNode[] | undefined {
  if (text.length > MAX_CHARS || isDeep(text)) return undefined;
  try {
    return parser(asWritten(text), {
      disableParsingRawHTML: true, // Tags are shown, not followed.
      disableFrontmatter: true,
      optimizeForStreaming: isOpen,
      sanitizer: (value) => value, // Where a link may lead is decided where it is shown.
      slugify: () => '',
    });
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

/** Notes at the foot stay where they were written. */
function asWritten(text: string): string {
  return text.replaceAll(/^( {0,3})\[\^([^\]\n]{1,50})\]:/gm, String.raw`$1\[^$2\]:`);
}
