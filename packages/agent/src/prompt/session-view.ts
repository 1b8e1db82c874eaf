import type { AnyPart, AssistantInfo, CompactionPart, Message, SessionState, TextPart } from '@dragoman/protocol';

/** What of a session the model sees: the summary of what left its view, if something did, and the messages in view. */
export interface SessionView {
  summary: string | undefined;
  messages: readonly Message[];
}

/**
 * The view moves with each compaction; nothing is deleted. It holds what stayed as it was beside the summary, and
 * everything since. Messages that were taken back are not in it.
 */
export function sessionView(state: Pick<SessionState, 'messages' | 'revert'>): SessionView {
  const messages = withoutReverted(state);
  const summaryIndex = messages.findLastIndex(isSummary);
  if (summaryIndex === -1)
    return { summary: undefined, messages: messages.filter((message) => !isBookkeeping(message)) };
  const marker = messages.slice(0, summaryIndex).findLastIndex((message) => compactionOf(message) !== undefined);
  const { tailStartID } = compactionOf(messages[marker]) ?? {};
  const tailStart = tailStartID === undefined ? -1 : messages.findIndex(({ info }) => info.id === tailStartID);
  const tail = tailStart === -1 || marker === -1 ? [] : messages.slice(tailStart, marker);
  return {
    summary: textOf(messages[summaryIndex]!),
    messages: [...tail, ...messages.slice(summaryIndex + 1)].filter((message) => !isBookkeeping(message)),
  };
}

function withoutReverted({ messages, revert }: Pick<SessionState, 'messages' | 'revert'>): readonly Message[] {
  const end = revert === undefined ? -1 : messages.findIndex(({ info }) => info.id === revert.messageID);
  return end === -1 ? messages : messages.slice(0, end);
}

/** The text of a message, without what is only shown. */
export function textOf(message: Message): string {
  return message.parts
    .filter((part): part is TextPart => part.type === 'text' && part.ignored !== true)
    .map(({ text }) => text)
    .join('\n');
}

/** A summary counts once it is complete; one that failed changed nothing. */
export function isSummary({ info }: Message): boolean {
  return info.role === 'assistant' && info.summary === true && isComplete(info);
}

function isComplete(info: AssistantInfo): boolean {
  return info.time.completed !== undefined && info.error === undefined;
}

function isBookkeeping(message: Message): boolean {
  return compactionOf(message) !== undefined || (message.info.role === 'assistant' && message.info.summary === true);
}

function compactionOf(message: Message | undefined): CompactionPart | undefined {
  return message?.parts.find((part: AnyPart): part is CompactionPart => part.type === 'compaction');
}
