import type { ContentBlock, HubEvent } from '@dragoman/protocol';

/** Something that was said, for the search. */
export interface Said {
  text: string;
  kind: string;
  role: string;
  blockId?: string;
}

/** What an event says, where it says something: prompts, and blocks that are whole. */
export function saidIn(event: HubEvent): Said | undefined {
  switch (event.type) {
    case 'prompt-queued':
      return said(event.prompt.content.map(blockText).join('\n'), { kind: 'text', role: 'user' });
    case 'block-start': // Of a block that was left open; the others are not asked.
    case 'block-stop':
      return said(blockText(event.block), { kind: event.block.type, role: event.role, blockId: event.blockId });
    default:
      return undefined;
  }
}

function said(text: string, of: Omit<Said, 'text'>): Said | undefined {
  return text.trim() === '' ? undefined : { text, ...of };
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
    case 'notice':
      return block.text;
    case 'thinking':
      return block.thinking;
    case 'tool_use':
      return lines([block.name, block.title, ...textsIn(block.input)]);
    case 'tool_result':
      return lines([block.content, ...(block.attachments ?? []).map(blockText)]);
    case 'plan':
      return lines(block.entries.map((entry) => entry.content));
    case 'approval':
      return lines([block.title, block.reason]);
    case 'error':
      return lines([block.message, block.fix]);
    case 'file':
      return lines([block.name, block.uri]);
    default: // Images and numbers say nothing in words.
      return '';
  }
}

/** The values of an input, whatever its shape. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'number') yield String(value);
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* textsIn(inner);
}

function lines(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n');
}
