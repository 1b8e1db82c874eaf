import {
  type Call,
  type CallStatus,
  callTitle,
  type ContentBlockOf,
  deniedApproval,
  describeToolCall,
} from '@dragoman/protocol';
import type { CardColour } from './card-json.ts';
import { type CardWords, duration } from './card-words.ts';
import { cleanLine } from './clean-text.ts';
import { escapeMarkdown, inlineCode } from './escape-markdown.ts';

/** How a call stands, for people: one that somebody said no to is not an error. */
export type ShownStatus = CallStatus | 'Denied';

/** What a status looks like. */
export const LOOKS: Record<ShownStatus, { mark: string; colour: CardColour }> = {
  Running: { mark: '⏳', colour: 'blue' },
  Waiting: { mark: '✋', colour: 'orange' },
  Success: { mark: '✅', colour: 'green' },
  Error: { mark: '❌', colour: 'red' },
  Interrupted: { mark: '⏹', colour: 'grey' },
  Denied: { mark: '🚫', colour: 'grey' },
};

/** How a call stands. */
export function statusOf(call: Call): ShownStatus {
  return deniedApproval(call) === undefined ? (call.tool?.status ?? 'Running') : 'Denied';
}

/** A call in a line, in Lark's Markdown: how it stands, what it does, and how long it took once it is over. */
export function callLine(call: Call, words: CardWords, most: number): string {
  const status = statusOf(call);
  const { mark } = LOOKS[status];
  const took = callTime(call);
  const parts = [
    `${mark} ${callName(call.use.block, words, most)}`,
    statusText(status, words),
    ...(took === undefined ? [] : [duration(took, words)]),
  ];
  return parts.join(' · ');
}

/** The word for a status in its colour. */
export function statusText(status: ShownStatus, words: CardWords): string {
  return `<font color='${LOOKS[status].colour}'>${words.status[status]}</font>`;
}

/** What a call is called, in Lark's Markdown. */
function callName(use: ContentBlockOf<'tool_use'>, words: CardWords, most: number): string {
  const { verb, subject } = callTitle(words.tools, use);
  return verb === '' ? `**${escapeMarkdown(cleanLine(subject, most))}**` : named(cleanLine(verb, most), subject, most);
}

/** What the line of a call says it is about, where it is all there. */
export function saidOf(use: ContentBlockOf<'tool_use'>, most: number): string {
  const { description = '' } = describeToolCall(use.name, use.input);
  return description.length <= most ? description : '';
}

/** How long a call took, once it is over; nothing asks the clock. */
export function callTime({ tool }: Call): number | undefined {
  return tool?.endedAt === undefined ? undefined : tool.endedAt - tool.startedAt;
}

function named(verb: string, subject: string, most: number): string {
  const line = cleanLine(subject, most);
  const name = verb === '' ? '' : `**${escapeMarkdown(verb)}**`;
  return [name, inlineCode(line)].filter((part) => part !== '').join(' ');
}
