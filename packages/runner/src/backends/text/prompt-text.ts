import type { PromptBlock } from '@dragoman/protocol';

/** A prompt for an agent that reads only text: files are named by their place on this machine. */
export function promptText(content: readonly PromptBlock[]): string {
  return content.map(describe).join('\n');
}

function describe(block: PromptBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'file':
      return `[file ${block.name}: ${block.uri ?? block.url ?? 'its content was not sent'}]`;
    case 'image':
      return `[image of type ${block.media_type}: ${block.url ?? 'this agent takes no images'}]`;
  }
}
