import type { SessionView, ShownBlock, ShownMessage } from '@dragoman/protocol';
import { redactToolText } from '@dragoman/protocol/secrets';

/** The end of a conversation counts most, and an agent has other things to read. */
const MOST_CHARS = 60_000;
const MOST_OF_RESULT = 500;

/**
 * A conversation as text, for an agent that does not know it: who said what, which calls were made, and the beginning of what
 * came of them. Of a long one the end. Nothing where nothing was said.
 */
export function tellConversation(view: SessionView): string | undefined {
  const told: string[] = [];
  let length = 0;
  for (const message of view.messages.toReversed()) {
    const text = tellMessage(message);
    if (text === undefined) continue;
    length += text.length;
    if (length > MOST_CHARS) {
      told.push('(What was said before that is left out.)');
      break;
    }
    told.push(text);
  }
  if (told.length === 0) return undefined;
  return [
    'This conversation began on another machine. What was said so far, for you to continue from:',
    ...told.toReversed().map((text) => redactToolText(text).text),
    'End of what was said so far. Files may differ on this machine: look before you rely on them.',
  ].join('\n\n');
}

function tellMessage({ role, by, blocks }: ShownMessage): string | undefined {
  const text = blocks
    .flatMap((shown) => tellBlock(shown) ?? [])
    .join('\n')
    .slice(0, MOST_CHARS);
  if (text.trim() === '') return undefined;
  const isPerson = by !== undefined || (role === 'user' && blocks.some(({ block }) => block.type !== 'tool_result'));
  return `${isPerson ? 'User' : 'Assistant'}: ${text}`;
}

function tellBlock({ block }: ShownBlock): string | undefined {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'tool_use':
      return `[Called ${block.name} with ${shorten(JSON.stringify(block.input))}]`;
    case 'tool_result':
      return `[Result: ${shorten(block.content)}]`;
    case 'file':
      return `[File ${block.name}]`;
    case 'image':
      return '[Image]';
    default: // Thinking, questions and notices are not part of what was said.
      return undefined;
  }
}

function shorten(text: string): string {
  return text.length > MOST_OF_RESULT ? `${text.slice(0, MOST_OF_RESULT).toWellFormed()}…` : text;
}
