import { blocksLength, blockText, characterBreak, cutBlock } from './rich-text.ts';
import type { Block } from './telegram-body.ts';

/** From here on, what begins (a row, a paragraph) begins in the next message … */
const ROW_FROM = 2900;
/** … from here on, every line does, … */
const LINE_FROM = 3500;
/** … and then every word. */
const WORD_FROM = 3750;
/** Nothing goes further; what is left up to 4,096 is for what stands at the end. */
const CUT_AT = 3850;
/** What Telegram takes, after the markup was read. */
const MAX_UNITS = 4096;

/** Something that is shown: a row of a session, in blocks. */
export interface Piece {
  blocks: readonly Block[];
  /** It is not cut unless it has to be; it moves on as a whole. */
  isWhole?: boolean;
  /** It begins no message unless it has to: it may yet become one with what stands before it. */
  stays?: boolean;
  /** What comes as messages of their own, after the one in which this stands. */
  files?: readonly string[];
}

/** What stands in one message. */
export interface SplitPost {
  blocks: Block[];
  files: string[];
}

/**
 * Divides what is shown into messages.
 *
 * Every break is at the first good place after a certain length, and not at the last one before the end: what comes
 * later never moves it. So while a text grows, only the last message changes, and nothing that was read jumps to another.
 */
export function splitPosts(pieces: readonly Piece[], ending: readonly Block[]): SplitPost[] {
  const posts: SplitPost[] = [{ blocks: [], files: [] }];
  // The length of the last one, kept while it grows: a text can be thousands of short lines.
  let size = 0;
  const begin = () => {
    posts.push({ blocks: [], files: [] });
    size = 0;
  };
  const add = (block: Block) => {
    const { blocks } = posts.at(-1)!;
    size += (blocks.length === 0 ? 0 : block.gap === true ? 2 : 1) + blocksLength([block]);
    blocks.push(block);
  };
  for (const { blocks, isWhole = false, stays = false, files = [] } of pieces) {
    if (isWhole && blocksLength(blocks) <= CUT_AT) {
      const isFull = size + blocksLength(blocks) + 2 > (stays ? MAX_UNITS - 100 : CUT_AT);
      if (size > 0 && (isFull || (!stays && size >= ROW_FROM))) begin();
      for (const block of blocks) add(block);
    } else
      for (const block of blocks) {
        let rest: Block | undefined = block;
        while (rest !== undefined) {
          const isFull = size >= ROW_FROM;
          if (isFull) begin();
          const [here, next]: [Block, Block | undefined] = cutToFit(rest, isFull ? 0 : size + 2);
          add(here);
          rest = next;
          if (rest !== undefined) begin();
        }
      }
    posts.at(-1)!.files.push(...files);
  }
  for (const block of ending) {
    if (size > 0 && size + blocksLength([block]) + 2 > MAX_UNITS) begin();
    add(block);
  }
  return posts.filter(({ blocks, files }) => blocks.length > 0 || files.length > 0);
}

/** As much of a block as fits after that many units, and the rest of it. */
function cutToFit(block: Block, size: number): [Block, Block | undefined] {
  const text = blockText(block);
  const at = breakIn(text, size);
  if (at === undefined) return [block, undefined];
  const [here, next] = cutBlock(block, at);
  return blockText(next).trim() === '' ? [here, undefined] : [here, next];
}

function breakIn(text: string, size: number): number | undefined {
  if (size + text.length <= LINE_FROM) return undefined;
  const line = text.indexOf('\n', Math.max(0, LINE_FROM - size));
  if (line !== -1 && size + line <= WORD_FROM) return line;
  if (size + text.length <= WORD_FROM) return undefined;
  const from = Math.max(0, WORD_FROM - size);
  const word = text.slice(from, CUT_AT - size).search(/\s/);
  if (word !== -1) return from + word;
  if (size + text.length <= CUT_AT) return undefined;
  return Math.max(1, characterBreak(text, CUT_AT - size));
}
