import { type HeadingPath, pathAfter } from './heading-levels.ts';
import { beginsFold, type Fold, takeFold } from './take-fold.ts';

/** A part of a Markdown text that is read by itself. */
export type MarkdownBlock = { text: string; path: string } & (
  | { type: 'text' }
  /** A fence with code in it needs no reading. */
  | { type: 'code'; language: string; isWhole: boolean }
  | ({ type: 'fold' } & Fold)
);

const FENCE = /^(\s{0,400})(`{3,}|~{3,})([^\n]{0,200})/;
const LIST = /^\s{0,3}(?:[-*+]|\d{1,9}[.)])\s/;
const COMMENT = /^ {0,3}<!--/;

/**
 * A Markdown text in the parts that do not depend on one another, so that of a text that grows only the last is read again.
 *
 * Parts end at an empty line, unless what follows may belong to them: within a fence, in a list, and where it stands further in.
 * Each knows the headings it stands below.
 */
export function splitBlocks(text: string, above: HeadingPath = []): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  const all = text.replaceAll('\r\n', '\n').split('\n');
  let path = above;
  let lines: string[] = [];
  let fence: { marker: string; isWhole: boolean; language: string } | undefined;
  let isAfterEmpty = false;

  const end = () => {
    if (lines.some((line) => line.trim() !== '')) {
      blocks.push({ type: 'text', text: withoutEnd(lines), path: path.join() });
      path = pathAfter(path, lines);
    }
    lines = [];
    isAfterEmpty = false;
  };
  const endCode = (language: string, isCodeWhole: boolean) => {
    blocks.push({ type: 'code', text: lines.join('\n'), language, isWhole: isCodeWhole, path: '' });
    lines = [];
  };
  for (let index = 0; index < all.length; index += 1) {
    const line = all[index]!;
    const [, indent = '', marker = '', info = ''] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      const isEnd = marker.startsWith(fence.marker) && info.trim() === '';
      if (isEnd && fence.isWhole) endCode(fence.language, true);
      else lines.push(line);
      if (isEnd) fence = undefined;
      isAfterEmpty = false;
      continue;
    }
    if (isAfterEmpty && line.trim() !== '' && !belongs(line, lines)) end();
    if (marker !== '' && !(marker.startsWith('`') && info.includes('`'))) {
      // One that stands at the very left is a part of its own, whatever is above it.
      const isWhole = indent === '';
      if (isWhole) end();
      else lines.push(line);
      fence = { marker, isWhole, language: info.trim().split(/[\s{,]/, 1)[0]! };
      isAfterEmpty = false;
      continue;
    }
    const isInside = /^\s/.test(line) && lines.some((one) => LIST.test(one));
    if (!isInside && beginsFold(line)) {
      end();
      const { fold, count, rest } = takeFold(all.slice(index));
      blocks.push({ type: 'fold', ...fold, path: path.join() });
      index += count - 1;
      if (rest.trim() !== '') lines.push(rest);
      continue;
    }
    const comment = !isInside && COMMENT.test(line) ? commentLines(all, index) : undefined;
    if (comment !== undefined) {
      end();
      index += comment.count - 1;
      // One without an end is shown, unless that is still to come.
      lines.push(comment.rest);
      continue;
    }
    lines.push(line);
    isAfterEmpty = line.trim() === '';
  }
  if (fence?.isWhole === true) endCode(fence.language, false);
  else end();
  return withDefinitions(blocks);
}

/** A remark that nobody is to see, over how many lines it goes, and what stands behind it. */
function commentLines(all: readonly string[], from: number): { count: number; rest: string } {
  const last = all.findIndex((line, index) => index >= from && line.includes('-->'));
  if (last === -1) return { count: all.length - from, rest: all.slice(from).join('\n') };
  const line = all[last]!;
  return { count: last - from + 1, rest: line.slice(line.indexOf('-->') + 3) };
}

function withoutEnd(lines: readonly string[]): string {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return lines.slice(0, last + 1).join('\n');
}

/** Whether a line behind an empty one goes on with what is above: a list has more items, and items have more in them. */
function belongs(line: string, above: readonly string[]): boolean {
  const first = above[0] ?? '';
  if (/^(?:\t| {2,})/.test(line)) return above.some((one) => LIST.test(one)) || /^(?:\t| {4})/.test(first);
  return LIST.test(line) && LIST.test(first);
}

const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]: {0,20}\S[^\n]{0,2000}$/gm;
const MAX_DEFINITIONS = 200;

/** Where links are defined apart from where they are used, every part that uses some must know them. */
function withDefinitions(blocks: MarkdownBlock[]): MarkdownBlock[] {
  const defined = blocks.flatMap(({ type, text }) => (type === 'text' ? (text.match(DEFINITION) ?? []) : []));
  if (defined.length === 0 || defined.length > MAX_DEFINITIONS) return blocks;
  const all = `\n\n${defined.join('\n')}`;
  return blocks.map((block) =>
    block.type === 'text' && block.text.includes(']') && blocks.length > 1
      ? { ...block, text: block.text + all }
      : block,
  );
}
