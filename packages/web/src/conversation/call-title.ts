import { type CallTitle, type ContentBlockOf, callTitle as titleOf } from '@dragoman/protocol';
import { visibleText } from '../code/visible-text.ts';
import type { conversationWords } from './conversation-words.ts';

/** A call in a line, as a page can show it. */
export function callTitle(words: ReturnType<typeof conversationWords.use>, use: ContentBlockOf<'tool_use'>): CallTitle {
  const { verb, subject } = titleOf(words.tools, use);
  return { verb: line(verb), subject: line(subject) };
}

/** On one line, and no longer than a line may be. */
function line(text: string): string {
  return visibleText(text.slice(0, 400).replaceAll(/\s+/g, ' ').trim()).toWellFormed();
}
