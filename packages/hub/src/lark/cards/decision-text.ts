import { type Actor, type ApprovalOption, optionName, type ShownApproval } from '@dragoman/protocol';
import type { CardColour } from './card-json.ts';
import type { CardWords } from './card-words.ts';
import { cleanLine } from './clean-text.ts';
import { escapeMarkdown } from './escape-markdown.ts';

/** What became of a question, and by whom, in Lark's Markdown. */
export function decisionText(
  { decided, options }: Pick<ShownApproval, 'decided' | 'options'>,
  words: CardWords,
  most: number,
): string {
  if (decided === undefined) return words.waiting;
  const { reply, by } = decided;
  if (by.type === 'time-limit') return words.timedOut;
  if (reply.type === 'cancelled') return words.withdrawn;
  const decision = reply.type === 'rejected' ? words.denied : chosenName(options, reply.optionId, words);
  const said = cleanLine((reply.type === 'selected' ? reply.text : reply.feedback) ?? '', most);
  const line = escapeMarkdown(cleanLine(words.decidedBy(decision, actorName(by, words)), 300));
  return said === '' ? line : `${line} “${escapeMarkdown(said)}”`;
}

/** Whether a question waits, was answered with a yes, with a no, or is not asked any more. */
export function decisionOf({ decided, options }: Pick<ShownApproval, 'decided' | 'options'>): {
  colour: CardColour;
  word: 'waiting' | 'allowed' | 'answered' | 'denied' | 'withdrawn';
} {
  if (decided === undefined) return { colour: 'orange', word: 'waiting' };
  if (decided.reply.type === 'cancelled') return { colour: 'grey', word: 'withdrawn' };
  if (decided.reply.type === 'rejected') return { colour: 'red', word: 'denied' };
  const { optionId } = decided.reply;
  const kind = options.find(({ id }) => id === optionId)?.kind ?? 'answer';
  if (kind.startsWith('reject')) return { colour: 'red', word: 'denied' };
  return { colour: 'green', word: kind === 'answer' ? 'answered' : 'allowed' };
}

/** Who it was: `Ada (web)`. */
export function actorName(by: Actor, words: CardWords): string {
  switch (by.type) {
    case 'user':
      return `${by.name} (${by.channel})`;
    case 'rule':
      return words.byRule(by.rule);
    case 'agent':
      return words.byAgent;
    case 'runner':
      return words.byRunner;
    default:
      return words.someone;
  }
}

function chosenName(options: readonly ApprovalOption[], optionId: string, words: CardWords): string {
  const option = options.find(({ id }) => id === optionId);
  const name = option === undefined ? optionId : optionName(option, words.language);
  return name.trim() === '' ? words.answered : name;
}
