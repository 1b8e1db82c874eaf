import type { ContentBlock } from './content-block.ts';

/** The block with more of what it says. Blocks that are not written piece by piece stay as they are. */
export function addToBlock(block: ContentBlock, delta: string): ContentBlock {
  switch (block.type) {
    case 'text':
    case 'notice':
      return { ...block, text: block.text + delta };
    case 'thinking':
      return { ...block, thinking: block.thinking + delta };
    case 'tool_result':
      return { ...block, content: block.content + delta };
    default: // A tool_use is written in JSON, which is kept beside it until it is whole; the others come at once.
      return block;
  }
}
