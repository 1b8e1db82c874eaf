import type { Question, QuestionAnswer } from '../../question/question.ts';

/** Asks the person a question; throws when it is called off. */
export type AskQuestion = (question: Question) => Promise<QuestionAnswer>;

/** Stands under every question: people may always decline. */
export const DECLINE = { id: 'decline', name: 'Decline' };

const MAX_TITLE = 300;
const MAX_MESSAGE = 4_000;

/** What a server says, in a line. */
export function titleOf(message: string): string {
  return cut(message, MAX_TITLE);
}

/** All that it says, where a line has no room for it. */
export function wholeOf(message: string): string[] {
  return message.length <= MAX_TITLE ? [] : [cut(message, MAX_MESSAGE)];
}

/** Says who wants to know. */
export function askedBy(server: string): string {
  return `Asked by the MCP server "${server}".`;
}

/** What a server is told when there is no answer for it. */
export function endOf({ type }: QuestionAnswer): 'decline' | 'cancel' {
  return type === 'cancelled' ? 'cancel' : 'decline';
}

/** The beginning of a text that is longer than anybody reads. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
