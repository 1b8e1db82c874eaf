import { type Actor, optionName, type ShownApproval } from '@dragoman/protocol';
import type { Language } from '../channels/channel.ts';
import { oneLine } from './rich-text.ts';
import { TELEGRAM_WORDS, type Words } from './telegram-words.ts';

/** What was decided, and by whom. */
export function decisionText(approval: Pick<ShownApproval, 'options' | 'decided'>, language: Language): string {
  const words = TELEGRAM_WORDS[language];
  const { decided, options } = approval;
  if (decided === undefined) return words.status.Waiting;
  const { reply, by } = decided;
  if (by.type === 'time-limit') return words.timedOut;
  if (reply.type === 'cancelled') return words.withdrawn;
  const said = oneLine((reply.type === 'selected' ? reply.text : reply.feedback) ?? '', 600);
  const quote = said === '' ? '' : ` “${said}”`;
  if (reply.type === 'rejected') return `${words.rejected} · ${actorText(by, words)}${quote}`;
  const option = options.find(({ id }) => id === reply.optionId);
  const name = option === undefined ? oneLine(reply.optionId, 80) : optionLabel(option, language);
  return `${name === '' ? words.answered : name} · ${actorText(by, words)}${quote}`;
}

/** What an option is called, no longer than a button may be. */
export function optionLabel(option: ShownApproval['options'][number], language: Language): string {
  return oneLine(optionName(option, language), 200);
}

/** Who it was, in words. */
export function actorText(by: Actor, words: Words): string {
  switch (by.type) {
    case 'user':
      return oneLine(`${by.name} (${by.channel})`, 100);
    case 'rule':
      return oneLine(words.byRule(by.rule), 200);
    case 'time-limit':
      return words.byTime;
    case 'agent':
      return words.byAgent;
    case 'runner':
      return words.byRunner;
  }
}
